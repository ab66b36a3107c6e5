/// A part of a connection that should be a region but is unusable.
package struct RegionError: Sendable, Equatable {
  package var connection: String
  /// The id of the user feature; nil if it has none, or if the problem is outside of any feature.
  package var feature: String?
  /// The id of the trigger, or nil if it has none.
  package var trigger: String?
  /// The problem, phrased to follow "Cannot monitor a region of …:". It may quote text from the server.
  package var reason: String

  package init(connection: String, feature: String? = nil, trigger: String? = nil, reason: String) {
    (self.connection, self.feature, self.trigger, self.reason) = (connection, feature, trigger, reason)
  }
}
