import Foundation
import Session
import Support
import Testing

/// A headless Chromium that all tests share, because it takes seconds to start. It ends with the tests' process. All
/// mutable state is guarded by `lock`.
final class BrowserWindow: @unchecked Sendable {
  static let shared = BrowserWindow()

  private let lock = NSLock()
  private var running: Running?

  /// An action on a page. A click leads to another page.
  enum Step {
    case click(String)
    case press(String)
    case fill(String, String)
    case choose(String, String)
    case reload

    /// A click on the page's button to continue.
    static let goOn = click("#go")
    static let cancel = click("#cancel")

    fileprivate var words: [String] {
      switch self {
      case .click(let selector): ["click", selector]
      case .press(let selector): ["press", selector]
      case .fill(let selector, let text): ["fill", selector, text]
      case .choose(let selector, let value): ["choose", selector, value]
      case .reload: ["reload"]
      }
    }
  }

  enum Look: CaseIterable {
    case phone, desktop, phoneAtNight, desktopAtNight

    var width: Int { self == .phone || self == .phoneAtNight ? 390 : 1280 }
    fileprivate var height: Int { width == 390 ? 844 : 800 }
    fileprivate var isDark: Bool { self == .phoneAtNight || self == .desktopAtNight }
    /// The background color of the landing page.
    fileprivate var ground: String { isDark ? "rgb(17, 17, 17)" : "rgb(244, 244, 244)" }
  }

  struct Page: Decodable {
    var url: String
    var title: String
    var text: String
    var language: String
    var width: Int
    var scripts: Int
    var back: String
    /// The current step, as shown by the sandbox's page.
    var stage: String
    var status: Int
  }

  struct Visit: Decodable {
    var pages: [Page]
    var requests: [String]
    /// The messages on the console, and the browser's complaints about the page.
    var complaints: [String]
    /// The targets of redirects.
    var locations: [String]
    var fault: String?

    var last: Page { pages[pages.count - 1] }
    var stages: [String] { pages.map(\.stage).filter { !$0.isEmpty } }

    /// Whether the browser brought this token to the program. The program's page is at a URL without it.
    func wasRedirected(withToken token: String) -> Bool {
      let end = "&user_token=\(token.trimmingCharacters(in: .newlines))"
      return requests.contains { $0.hasSuffix(end) } && !last.url.contains("user_token")
    }

    /// Check every visit that ends on the program's own page.
    func expectLanding(on title: String, saying texts: [String], as look: Look, _ location: SourceLocation) {
      #expect(complaints == [], sourceLocation: location)
      #expect(last.title == "\(title) – IFTTT", sourceLocation: location)
      for text in texts { #expect(last.text.contains(text), "\(last.text)", sourceLocation: location) }
      #expect(last.text.contains("You can close this window and return to the terminal."), sourceLocation: location)
      #expect(last.language == "en-US" && last.status == 200, sourceLocation: location)
      #expect(last.back == look.ground, sourceLocation: location)
      #expect(URL(string: last.url)?.path.hasPrefix("/ifttt/return/") == true, sourceLocation: location)
      expectDecency(as: look, location)
    }

    /// Check every visit.
    func expectDecency(as look: Look, _ location: SourceLocation) {
      for address in requests {
        let isOwn = address.hasPrefix("http://127.0.0.1:") || address == "data:,"
        #expect(isOwn, "\(address) is somebody else's", sourceLocation: location)
      }
      for page in pages {
        #expect(page.width <= look.width && page.scripts == 0, "\(page.title)", sourceLocation: location)
      }
    }
  }

  /// Open a URL in a new window without shared state, and perform the steps.
  func visit(_ url: String, as look: Look, _ steps: [Step], named name: String) throws -> Visit {
    let request: [String: Any] = [
      "url": url, "width": look.width, "height": look.height, "dark": look.isDark, "steps": steps.map(\.words),
      "name": name,
    ]
    let line = try JSONSerialization.data(withJSONObject: request)
    return try lock.withLock {
      let running = try self.running ?? start()
      self.running = running
      running.type(String(decoding: line, as: UTF8.self) + "\n")
      let response = running.read(until: "\n")
      guard let visit = try? JSONDecoder().decode(Visit.self, from: Data(response.utf8)) else {
        self.running = nil
        running.endInput()
        throw Stuck(fault: response + running.readToEnd(running.errors))
      }
      if let fault = visit.fault { throw Stuck(fault: fault) }
      return visit
    }
  }

  /// The error for a step that could not be performed.
  struct Stuck: Error { let fault: String }

  private func start() throws -> Running {
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/chromium.py").path
    let words =
      try [Tool.required("python3").path] + Python.arguments + [script, Tool.required("chromium").path]
    let own = ProcessInfo.processInfo.environment
    let inherited = ["PATH", "TMPDIR", "SCREENSHOTS"].compactMap { name in own[name].map { (name, $0) } }
    return try Running(words, environment: ["LC_ALL": "C.UTF-8"].merging(inherited) { $1 })
  }
}

extension [BrowserWindow.Step] {
  /// Open the page's list of outcomes and select one.
  static func end(_ outcome: String) -> Self { [.press("#else summary"), .click("button[value=\"\(outcome)\"]")] }
}
