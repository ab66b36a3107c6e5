/// Whether a connection or an Applet is on for the user who asks.
package enum UserStatus: String, Sendable, CaseIterable {
  case enabled, disabled
  /// Deleted by the user, or never on.
  case neverEnabled = "never_enabled"
  /// No user was given, or IFTTT sent a word that nobody knows yet.
  case unknown

  /// - Parameter wire: `user_status` as received, null and absent alike meaning that there is no user.
  package init(onWire wire: String?) { self = wire.flatMap(UserStatus.init(rawValue:)) ?? .unknown }
}
