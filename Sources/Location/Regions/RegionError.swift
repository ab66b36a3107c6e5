/// A part of a connection that should be a region and cannot be used.
package struct RegionError: Sendable, Equatable {
  package var connection: String
  /// The user feature; nil where it has no id, or where the problem is not in one.
  package var feature: String?
  /// Nil where it has no id.
  package var trigger: String?
  /// What is wrong, in words that follow "a region cannot be watched:". It may quote what the server sent.
  package var reason: String

  package init(connection: String, feature: String? = nil, trigger: String? = nil, reason: String) {
    (self.connection, self.feature, self.trigger, self.reason) = (connection, feature, trigger, reason)
  }
}
