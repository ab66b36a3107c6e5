@testable import IFTTT
import Support
import Testing

@Suite struct DrawingTests {
  @Test func sizesMatchDocumentation() {
    #expect(ConnectButton.height == 70 && ConnectButton.maximumWidth == 329)
    var button = ConnectButton(.connect)
    #expect(button.svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"329\" height=\"100\""))
    button.hasFooter = false
    #expect(button.svg.contains("width=\"329\" height=\"70\" viewBox=\"0 0 329 70\""))
    #expect(
      !button.svg.contains("Works with"[...].description + "</text>") && !button.html.contains("<p class=\"footer\""))
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) func everySVGIsXML() throws {
    let all = "<all>" + ConnectButton.many.map(\.svg).joined() + "</all>"
    let parsed = try Tool.required("python3").run(
      ["-c", "import sys, xml.dom.minidom as x; print(len(x.parse(sys.stdin.buffer).documentElement.childNodes))"],
      in: ScratchFolder(), input: all)
    // A line feed follows each of them.
    #expect(parsed.output == "\(ConnectButton.many.count * 2)\n", "\(parsed.errors)")
  }

  /// Text from a server never becomes markup or a script.
  @Test func hostileTextIsEscaped() {
    for button in ConnectButton.many {
      for text in [button.svg, button.html] {
        for bad in ["<script", "onload=\"", "javascript:", "url(", "@import", "red;}", "\u{1b}", "\u{202e}", "\0"] {
          #expect(!text.contains(bad), "\(bad)")
        }
      }
    }
  }

  @Test func onlyGivenIconsAreReferenced() {
    var service = Sample.plain.service
    (service.monochromeIconURL, service.colorIconURL) = (
      "https://assets.example/m.png?a=1&b=2", "https://assets.example/c.png"
    )
    let owner = Service(name: "Tidebook", shortName: "Tidebook", colorIcon: "http://assets.example/p.png")
    var button = ConnectButton(
      state: .connect, connectionName: "x", primary: owner, connecting: service, language: .americanEnglish)
    #expect(button.svg.contains("<image href=\"https://assets.example/m.png?a=1&amp;b=2\""))
    #expect(button.html.contains("<img src=\"https://assets.example/m.png?a=1&amp;b=2\" alt=\"\""))
    #expect(button.html.contains("https://assets.example/c.png") && !button.html.contains("http://"))
    button.hasIcons = false
    #expect(!button.svg.contains("<image") && button.svg.contains(">L</text>") && !button.html.contains("<img"))
    #expect(!ConnectButton(.connect).svg.contains("<image") && ConnectButton(.connect).svg.contains(">L</text>"))
  }

  @Test func formLeadsToConnectPage() {
    let form = ConnectButton(.email, email: "kai@mail.test").html
    #expect(form.contains("<form class=\"pill\" action=\"https://ifttt.com/connect/Kd7Rn2Qx\" method=\"get\">"))
    #expect(form.contains("name=\"email\"") && form.contains(" value=\"kai@mail.test\""))
    var button = ConnectButton(.email)
    button.links = ConnectButton.Links(connect: "http://127.0.0.1:1/", page: "javascript:x")
    #expect(!button.html.contains("action=") && !button.html.contains("href=\"javascript"))
  }

  @Test(arguments: [
    (ButtonState.connect, "href=\"https://ifttt.com/connections/Kd7Rn2Qx\""), (.connected, ">Manage</a>"),
    (.loadingFailed, "href=\"https://ifttt.com/connections/Kd7Rn2Qx\""), (.verifying, "role=\"img\""),
  ])
  func stateHasItsLink(state: ButtonState, part: String) { #expect(ConnectButton(state).html.contains(part)) }

  @Test(arguments: ButtonState.allCases) func stateHasItsLabelAndFooter(state: ButtonState) {
    let expected: [ButtonState: (String, String)] = [
      .loading: ("Loading…", "Works with IFTTT"), .loadingFailed: ("Try again", "This connection could not be loaded"),
      .connect: ("Connect Lampost", "Works with IFTTT"), .email: ("kai@mail.test", "Secured by IFTTT"),
      .invalidEmail: ("kai@mail.test", "Enter one complete email address"),
      .verifying: ("Verifying…", "Works with IFTTT"),
      .creatingAccount: ("Creating your account…", "A new IFTTT account for kai@mail.test"),
      .signingIn: ("Signing in to Lampost Lights…", "Works with IFTTT"),
      .connecting: ("Connecting…", "Works with IFTTT"),
      .checkMark: ("", "Works with IFTTT"), .connected: ("Connected", "Works with IFTTT"),
      .disconnecting: ("Disconnecting…", "Works with IFTTT"), .disconnected: ("Disconnected", "Works with IFTTT"),
    ]
    let button = ConnectButton(state, email: "kai@mail.test")
    let marks: (Character) -> Bool = { $0 != "\u{2068}" && $0 != "\u{2069}" }
    #expect(button.label.filter(marks) == expected[state]?.0)
    #expect(button.footer.filter(marks) == expected[state]?.1)
  }

  @Test func connectionNameReplacesMissingServiceName() {
    let alone = ConnectButton(
      state: .connect, connectionName: "Evening lamps", primary: nil, connecting: nil, language: .german)
    #expect(alone.label.contains("Evening lamps"))
    #expect(ConnectButton(.connect, .nameless).label.contains("Lamps that follow the tide"))
  }
}
