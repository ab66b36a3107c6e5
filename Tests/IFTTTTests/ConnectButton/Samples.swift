import IFTTT
import JSON

/// Services that are hard to draw.
enum Sample: CaseIterable {
  case plain, long, arabic, hebrew, japanese, hostile, nameless, emoji

  var service: Service {
    switch self {
    case .plain: Service(name: "Lampost Lights", shortName: "Lampost", brandColor: "#f5a623")
    case .long:
      Service(
        name: "Donaudampfschifffahrtsgesellschaftskapitänsmütze", shortName: "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
        brandColor: "#fff100")
    case .arabic: Service(name: "مصباح الشارع", shortName: "مصباح", brandColor: "#00a37a")
    case .hebrew: Service(name: "פנס רחוב", shortName: "פנס", brandColor: "#111111")
    case .japanese: Service(name: "街灯サービス株式会社", shortName: "街灯サービス株式会社", brandColor: "#0a4d8c")
    case .hostile:
      Service(
        name: "<script>document.title='x'</script>\u{1b}[31m\u{202e}",
        shortName: "</title></svg><b>\"'&\u{2069}\u{0}\n",
        brandColor: "red;}</style>", monochromeIcon: "javascript:alert(1)", colorIcon: "https://x/\" onload=\"x()")
    case .nameless: Service(name: "", shortName: " \u{200b}\u{feff} ", brandColor: nil)
    case .emoji: Service(name: "👩‍👩‍👧‍👦🏳️‍🌈", shortName: "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", brandColor: "#f0f")
    }
  }
}

extension Service {
  init(
    name: String, shortName: String, brandColor: String? = nil, monochromeIcon: String? = nil, colorIcon: String? = nil
  ) {
    guard let service = Service(reading: ["service_id": "lampost"]) else { preconditionFailure("a service has a slug") }
    self = service
    (self.name, self.shortName, self.brandColor) = (name, shortName, brandColor)
    (monochromeIconURL, colorIconURL) = (monochromeIcon, colorIcon)
  }
}

extension ConnectButton {
  init(
    _ state: ButtonState, _ sample: Sample = .plain, style: ButtonStyle = .light,
    in language: Language = .americanEnglish,
    email: String? = nil
  ) {
    self.init(
      state: state, connectionName: "Lamps that follow the tide",
      primary: Service(name: "Tidebook", shortName: "Tidebook", brandColor: "#0a4d8c"), connecting: sample.service,
      style: style, language: language, email: email)
    links = Links(connect: "https://ifttt.com/connect/Kd7Rn2Qx", page: "https://ifttt.com/connections/Kd7Rn2Qx")
  }

  /// Every state in every language, alternating between the services and styles.
  static var many: [ConnectButton] {
    var buttons: [ConnectButton] = []
    for language in Language.allCases {
      for state in ButtonState.allCases {
        let number = buttons.count
        let sample = Sample.allCases[number % Sample.allCases.count]
        let style: ButtonStyle = number % 3 == 0 ? .dark : .light
        let email = number % 2 == 0 ? "a.very.long.address.of.somebody@subdomain.of.a.long.example.org" : nil
        buttons.append(ConnectButton(state, sample, style: style, in: language, email: email))
      }
    }
    return buttons
  }
}
