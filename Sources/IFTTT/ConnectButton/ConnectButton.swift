/// IFTTT's Connect Button for one connection: its state, texts and colors, independent of the output format.
package struct ConnectButton: Sendable {
  /// The height of the button and its maximum width, in points, from the SDKs' documentation. Their code has 72 and 360
  /// (docs/api/activation.md C35).
  package static let height = 70.0
  package static let maximumWidth = 329.0
  /// The minimum font size of the label, as in the Android SDK. If the label does not fit at this size, its name is
  /// shortened.
  static let minimumFontSize = 12.0

  package var state: ButtonState
  package var style: ButtonStyle
  package var language: Language
  package var hasFooter = true
  /// Whether the services' icons are referenced in SVG and HTML. They are never fetched here.
  package var hasIcons = true
  /// The targets of the button. Only https URLs are used.
  package var links = Links()

  let primary: ServiceAppearance?
  let connecting: ServiceAppearance?
  let email: ButtonText?
  /// The subject of the connection: the service's short name, otherwise the connection's name.
  let subject: ButtonText

  package struct Links: Sendable {
    /// IFTTT's connect URL, to which the form with the email address is submitted.
    package var connect: String?
    /// The connection's page on IFTTT, which the button opens.
    package var page: String?
    package init(connect: String? = nil, page: String? = nil) { (self.connect, self.page) = (connect, page) }
  }

  /// The validated texts, color and icons of a service.
  struct ServiceAppearance: Sendable {
    let name: ButtonText
    let shortName: ButtonText
    /// Nil unless ``RGB/init(parsing:)`` accepts the service's color.
    let color: RGB?
    let knobIcon: String?
    let icon: String?

    init(_ service: Service) {
      name = ButtonText(service.name)
      shortName = ButtonText(service.shortName)
      color = service.brandColor.flatMap(RGB.init(parsing:))
      knobIcon = Markup.secureURL(service.monochromeIconURL)
      icon = Markup.secureURL(service.colorIconURL) ?? knobIcon
    }
  }

  /// - Parameters:
  ///   - primary: the service that owns the connection.
  ///   - connecting: the service that the primary service is connected to; nil if there is none. It determines the name
  ///     and the color of the button; without it, the primary service does.
  ///   - email: the address that the user typed, or for which an account is created.
  package init(
    state: ButtonState, connectionName: String, primary: Service?, connecting: Service?, style: ButtonStyle = .light,
    language: Language, email: String? = nil
  ) {
    (self.state, self.style, self.language) = (state, style, language)
    self.primary = primary.map(ServiceAppearance.init)
    self.connecting = (connecting ?? primary).map(ServiceAppearance.init)
    self.email = email.map(ButtonText.init).flatMap { $0.isEmpty ? nil : $0 }
    let name = self.connecting?.shortName ?? ButtonText("")
    subject = name.isEmpty ? ButtonText(connectionName) : name
  }

  var palette: Palette { Palette(style: style, brand: connecting?.color, isOnBrand: state.isOnBrand) }

  /// The name in the label, which may be shortened.
  var labelName: ButtonText {
    switch state {
    case .email, .invalidEmail: email ?? ButtonText(language.text(.emailPlaceholder))
    case .signingIn: connecting.map(\.name) ?? subject
    default: subject
    }
  }

  /// The label with a name in it. Empty for the check mark.
  func label(_ name: ButtonText) -> String {
    // If a phrase that ends in an ellipsis ends with a shortened name, show one ellipsis instead of two.
    let sentence = sentence(name)
    let doubleEllipsis = "…" + String(ButtonText.closing) + "…"
    return sentence.hasSuffix(doubleEllipsis) ? String(sentence.dropLast()) : sentence
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

  /// The fraction of the button that the progress fills; nil if there is no progress.
  var progress: Double? {
    switch self {
    case .verifying, .creatingAccount, .signingIn, .disconnecting: 0.5
    case .connecting: 0.75
    default: nil
    }
  }

  /// Whether the service's color fills the button.
  var isOnBrand: Bool { self == .signingIn || self == .connecting || self == .checkMark }
  /// Whether the user is typing an email address.
  var isEmailEntry: Bool { self == .email || self == .invalidEmail }
  /// Whether the footer reports an error.
  var isError: Bool { self == .loadingFailed || self == .invalidEmail }
}

/// The color scheme of a button.
package enum ButtonStyle: String, CaseIterable, Sendable {
  /// A black button for light pages.
  case light
  /// A white button for dark pages.
  case dark

  /// The color of the footer on the page. The contrast of the SDKs' #999999 is too low on a light page.
  var footerColor: RGB { self == .light ? .gray(0x6B) : .gray(0x99) }
  /// The color of an error in the footer.
  var errorColor: RGB { self == .light ? RGB(0xC6, 0x28, 0x28) : RGB(0xFF, 0x8A, 0x80) }
}
