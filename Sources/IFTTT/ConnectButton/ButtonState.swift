/// The states of a Connect Button on the way from "not connected" to "connected" and back.
package enum ButtonState: String, CaseIterable, Sendable {
  case loading
  case loadingFailed = "loading-failed"
  case connect
  case email
  case invalidEmail = "invalid-email"
  case verifying
  case creatingAccount = "creating-account"
  case signingIn = "signing-in"
  case connecting
  case checkMark = "check-mark"
  case connected
  case disconnecting
  case disconnected

  enum Side { case left, right }

  /// The position of the knob, or its target; nil if it is hidden.
  var knob: Side? {
    switch self {
    case .connect, .disconnecting: .left
    case .email, .invalidEmail, .connected: .right
    default: nil
    }
  }

  /// The part of the button that the progress fills.
  var progress: Double? {
    switch self {
    case .verifying, .creatingAccount, .signingIn, .disconnecting: 0.5
    case .connecting: 0.75
    default: nil
    }
  }

  /// Whether the service's color fills the button.
  var isOnBrand: Bool { self == .signingIn || self == .connecting || self == .checkMark }
  /// Whether an e-mail address is typed.
  var isEntry: Bool { self == .email || self == .invalidEmail }
  /// Whether the footer reports an error.
  var isFault: Bool { self == .loadingFailed || self == .invalidEmail }
}

/// The page a button is made for.
package enum ButtonStyle: String, CaseIterable, Sendable {
  /// A black button for light pages.
  case light
  /// A white button for dark pages.
  case dark

  /// The color of a footer, which has the page as its background. The SDKs' #999999 is too pale on a light page.
  var footer: RGB { self == .light ? .gray(0x6B) : .gray(0x99) }
  var fault: RGB { self == .light ? RGB(0xC6, 0x28, 0x28) : RGB(0xFF, 0x8A, 0x80) }
}
