/// An emulator of IFTTT as a pure function: a request and a state in, a response and the new state out.
///
/// It is written from the reference pages alone and shares no types with the clients, so a mistake in one shows up in
/// the other. The path alone selects the endpoint. A real IFTTT host only restricts which paths are served, so the
/// same emulator can run behind a server at any address.
package struct Emulator: Sendable {
  package var state: SandboxState
  package var web = WebRules()
  /// Webhooks to send to partner services.
  var webhooks: [Webhook] = []
  /// The number of webhooks so far.
  var webhookCount = 0
  /// The requests to the server of the first partner service; nil if its address is unknown.
  package internal(set) var runtime: ConnectionRuntime?
  /// Received requests whose responses depend on that server, by number.
  var suspended: [Int: SuspendedRequest] = [:]
  /// What the server responded to the requests that the current request depends on.
  var lookups = PartnerLookups()

  let seed: SandboxSeed

  package init(state: SandboxState, seed: SandboxSeed = .builtIn) { (self.state, self.seed) = (state, seed) }
}
