/// Whether a connection or an Applet is enabled for the current user.
package enum UserStatus: String, Sendable, CaseIterable {
  case enabled, disabled
  /// Deleted by the user, or never enabled.
  case neverEnabled = "never_enabled"
  /// The request had no user, or IFTTT sent an unknown status.
  case unknown

  /// - Parameter wire: `user_status` as received. Both null and a missing key mean that the request names no user.
  package init(onWire wire: String?) { self = wire.flatMap(UserStatus.init(rawValue:)) ?? .unknown }
}
