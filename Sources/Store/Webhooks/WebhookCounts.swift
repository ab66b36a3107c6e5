/// The numbers of stored webhooks.
package struct WebhookCounts: Sendable, Equatable {
  package var all = 0
  /// The webhooks that are still to be forwarded.
  package var toForward = 0
  /// The webhooks that a command is still to run for.
  package var toExecute = 0
  /// The number of the newest webhook.
  package var newest: Int64 = 0

  package init(all: Int = 0, toForward: Int = 0, toExecute: Int = 0, newest: Int64 = 0) {
    (self.all, self.toForward, self.toExecute, self.newest) = (all, toForward, toExecute, newest)
  }
}
