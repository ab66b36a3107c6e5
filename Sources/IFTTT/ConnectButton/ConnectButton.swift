/// IFTTT's Connect Button for one connection, as plain values: its texts and its colors.
package struct ConnectButton: Sendable {
  /// The height of the button and its maximum width, in points, from the SDKs' documentation. Their code has 72 and 360
  /// (docs/api/activation.md C35).
  package static let height = 70.0
  package static let width = 329.0
  /// The minimum font size of the label; below it, the name is shortened. As in the Android SDK.
  static let smallestLabel = 12.0

  package var state: ButtonState
  package var style: ButtonStyle
  package var language: Language
  package var hasFooter = true
  /// Whether the services' icons are referenced in SVG and HTML. They are never fetched here.
  package var hasIcons = true
  /// IFTTT pages: the target of the button, and the target of an e-mail address. Only https is used.
  package var links = Links()

  let primary: Face?
  let connecting: Face?
  let email: ButtonText?
  /// The subject of the connection: the service's short name, otherwise the connection's name.
  let subject: ButtonText

  package struct Links: Sendable {
    package var connect: String?
    package var page: String?
    package init(connect: String? = nil, page: String? = nil) { (self.connect, self.page) = (connect, page) }
  }

  /// A service as described by IFTTT.
  package struct Service: Sendable {
    package var name: String
    package var shortName: String
    /// `#rrggbb`; anything else counts as none.
    package var brandColor: String?
    package var monochromeIcon: String?
    package var colorIcon: String?

    package init(
      name: String, shortName: String, brandColor: String? = nil, monochromeIcon: String? = nil,
      colorIcon: String? = nil
    ) {
      (self.name, self.shortName, self.brandColor) = (name, shortName, brandColor)
      (self.monochromeIcon, self.colorIcon) = (monochromeIcon, colorIcon)
    }
  }

  /// A service as it may be drawn.
  struct Face: Sendable {
    let name: ButtonText
    let shortName: ButtonText
    let color: RGB?
    let knobIcon: String?
    let icon: String?

    init(_ service: Service) {
      name = ButtonText(service.name)
      shortName = ButtonText(service.shortName)
      color = service.brandColor.flatMap(RGB.init(parsing:))
      knobIcon = Markup.secureURL(service.monochromeIcon)
      icon = Markup.secureURL(service.colorIcon) ?? knobIcon
    }
  }

  /// - Parameters:
  ///   - primary: the service that owns the connection.
  ///   - connecting: the service it is connected to, which determines name and color; the primary service if there is
  ///     no other.
  ///   - email: the typed address, or the one an account is created for.
  package init(
    state: ButtonState, connectionName: String, primary: Service?, connecting: Service?, style: ButtonStyle = .light,
    language: Language, email: String? = nil
  ) {
    (self.state, self.style, self.language) = (state, style, language)
    self.primary = primary.map(Face.init)
    self.connecting = (connecting ?? primary).map(Face.init)
    self.email = email.map(ButtonText.init).flatMap { $0.isEmpty ? nil : $0 }
    let name = self.connecting?.shortName ?? ButtonText("")
    subject = name.isEmpty ? ButtonText(connectionName) : name
  }

  var palette: Palette { Palette(style: style, brand: connecting?.color, isOnBrand: state.isOnBrand) }

  /// The part of the label that may be shortened.
  var labelName: ButtonText {
    switch state {
    case .email, .invalidEmail: email ?? ButtonText(language.text(.emailPlaceholder))
    case .signingIn: connecting.map(\.name) ?? subject
    default: subject
    }
  }

  /// The label with a name in it. Empty for the check mark.
  func label(_ name: ButtonText) -> String {
    // Some phrases end in an ellipsis, and so does a shortened name. One is enough.
    let sentence = sentence(name)
    let twice = "…" + String(ButtonText.closing) + "…"
    return sentence.hasSuffix(twice) ? String(sentence.dropLast()) : sentence
  }

  private func sentence(_ name: ButtonText) -> String {
    switch state {
    case .loading: language.text(.loading)
    case .loadingFailed: language.text(.retry)
    case .connect: language.text(.connect(service: name.isolated))
    case .email, .invalidEmail: name.isolated
    case .verifying: language.text(.verifying)
    case .creatingAccount: language.text(.creatingAccount)
    case .signingIn: language.text(.signingIn(service: name.isolated))
    case .connecting: language.text(.connecting)
    case .checkMark: ""
    case .connected: language.text(.connected)
    case .disconnecting: language.text(.disconnecting)
    case .disconnected: language.text(.disconnected)
    }
  }

  var label: String { label(labelName) }

  /// The text below the button.
  func footer(_ email: ButtonText?) -> String {
    switch state {
    case .loadingFailed: return language.text(.loadingFailed)
    case .email: return language.text(.securedWith)
    case .invalidEmail: return language.text(.invalidEmail)
    case .creatingAccount:
      if let email { return language.text(.newAccount(email: email.isolated)) }
      return language.text(.worksWith)
    default: return language.text(.worksWith)
    }
  }

  var footer: String { footer(email) }

  /// The button as text for screen readers.
  var spoken: String {
    let status = state == .checkMark ? language.text(.connected) : label
    return status + " – " + footer
  }
}

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
