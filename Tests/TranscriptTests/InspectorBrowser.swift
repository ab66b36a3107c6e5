import Foundation
import Support
import Testing

/// A headless Chromium with one window, for the inspector page of a sandbox server.
///
/// It takes seconds to start, so another test uses it once the object is released. It ends with the tests' process.
///
/// `Servers/inspector.py` describes the steps.
final class InspectorBrowser {
  static let isAvailable = Chromium.isInstalled && Tool.isInstalled("python3")

  private let running: Running
  /// Whether a step could not be performed, so that the browser may not do the next test's steps either.
  private var isStuck = false
  /// The messages on the console since the window was opened, and the browser's complaints about the page.
  private(set) var complaints: [String] = []
  /// The URLs of all requests since the window was opened.
  private(set) var requests: [String] = []

  /// An element, by its accessible name.
  struct Target: ExpressibleByStringLiteral {
    fileprivate let words: [String: String]

    init(stringLiteral name: String) { words = ["name": name] }

    /// - Parameter container: The accessible name of an element around it.
    init(_ name: String, role: String? = nil, in container: String? = nil) {
      var words = ["name": name]
      (words["role"], words["in"]) = (role, container)
      self.words = words
    }

    static func link(_ name: String) -> Target { Target(name, role: "link") }

    /// The first row of the timeline whose text has this part.
    static func row(_ part: String) -> Target { Target(words: ["part": part, "role": "link", "in": entries]) }

    private static let entries = "Entries, newest first"
    private init(words: [String: String]) { self.words = words }
  }

  enum Step {
    case click(Target)
    case fill(Target, String)
    case choose(Target, String)
    /// Select a file in the field with this label.
    case file(String, path: String)
    case key(String)
    case show(width: Int, isDark: Bool)
    case wait(String)
    case waitUntilGone(String)
    case reload
    case screenshot(String)

    fileprivate var words: [Any] {
      switch self {
      case .click(let target): ["click", target.words]
      case .fill(let target, let text): ["fill", target.words, text]
      case .choose(let target, let option): ["choose", target.words, option]
      case .file(let label, let path): ["file", label, path]
      case .key(let name): ["key", name]
      case .show(let width, let isDark): ["show", width, Self.height, isDark]
      case .wait(let text): ["wait", text]
      case .waitUntilGone(let text): ["wait-gone", text]
      case .reload: ["reload"]
      case .screenshot(let name): ["screenshot", name]
      }
    }

    fileprivate static let height = 900
  }

  /// A control as a screen reader announces it.
  struct Control: Equatable {
    var role: String
    var name: String

    fileprivate init?(_ value: Any?) {
      guard let parts = value as? [String], parts.count == 2 else { return nil }
      (role, name) = (parts[0], parts[1])
    }

    init(_ role: String, _ name: String) { (self.role, self.name) = (role, name) }
  }

  /// The error for a step that could not be performed.
  struct Stuck: Error { let fault: String }

  init() throws { running = try Pool.idle.take() ?? Self.start() }

  private static func start() throws -> Running {
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/inspector.py").path
    let words =
      try [Tool.required("python3").path] + Python.arguments + [script, Tool.required("chromium").path]
    let own = ProcessInfo.processInfo.environment
    let inherited = ["PATH", "TMPDIR", "SCREENSHOTS"].compactMap { name in own[name].map { (name, $0) } }
    return try Running(words, environment: ["LC_ALL": "C.UTF-8"].merging(inherited) { $1 })
  }

  deinit {
    // A page that stays open could send requests to another test's server, which may get the same port.
    if !isStuck, (try? send(["close": true])) != nil {
      Pool.idle.put(running)
    } else {
      running.endInput()
      running.wait()
    }
  }

  /// The browsers that no test uses at the moment. All mutable state is guarded by `lock`.
  private final class Pool: @unchecked Sendable {
    static let idle = Pool()

    private let lock = NSLock()
    private var browsers: [Running] = []

    func take() -> Running? { lock.withLock { browsers.popLast() } }
    func put(_ browser: Running) { lock.withLock { browsers.append(browser) } }
  }

  /// Open a URL in a new window without shared state.
  func open(
    _ url: String, width: Int = 1280, isDark: Bool = false, hasScripts: Bool = true, _ steps: Step...
  ) throws {
    (complaints, requests) = ([], [])
    _ = try send([
      "url": url, "width": width, "height": Step.height, "dark": isDark, "scripts": hasScripts,
      "steps": steps.map(\.words),
    ])
  }

  func perform(_ steps: Step...) throws { _ = try send(["steps": steps.map(\.words)]) }

  /// The text of the page, or of one element.
  func text(of target: Target? = nil) throws -> String {
    try value(["text"] + (target.map { [$0.words] } ?? [])) as? String ?? ""
  }

  func has(_ target: Target) throws -> Bool { try value(["has", target.words]) as? Bool == true }

  func value(of target: Target) throws -> String { try value(["value", target.words]) as? String ?? "" }

  /// The control with the focus.
  func focus() throws -> Control? { Control(try value(["focus"])) }

  /// All controls, in the order of the page.
  func controls() throws -> [Control] { (try value(["names"]) as? [Any] ?? []).compactMap(Control.init) }

  /// The text on the clipboard.
  func copied() throws -> String { try value(["copied"]) as? String ?? "" }

  /// Click, and return the text of the file that it downloads.
  func download(_ target: Target) throws -> String { try value(["download", target.words]) as? String ?? "" }

  /// The value of a JavaScript expression.
  func evaluate(_ script: String) throws -> Any? { try value(["evaluate", script]) }

  /// The elements that make the page wider than the window.
  func overflow() throws -> [String] { try value(["overflow"]) as? [String] ?? ["not measured"] }

  /// The texts whose contrast is below 4.5.
  func lowContrast() throws -> [String] { try value(["contrast"]) as? [String] ?? ["not measured"] }

  /// The duration of the longest task since the last call, in milliseconds.
  func longestTask() throws -> Int { try #require(value(["longest-task"]) as? Int) }

  private func value(_ step: [Any]) throws -> Any? { try send(["steps": [step]]).first.flatMap { $0 } }

  private func send(_ request: [String: Any]) throws -> [Any?] {
    let line = try JSONSerialization.data(withJSONObject: request)
    running.type(String(decoding: line, as: UTF8.self) + "\n")
    let text = running.read(until: "\n")
    guard let response = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
      throw stuck(text + running.readToEnd(running.errors))
    }
    complaints = response["complaints"] as? [String] ?? []
    requests = response["requests"] as? [String] ?? []
    if let fault = response["fault"] as? String { throw stuck(fault) }
    return response["results"] as? [Any] ?? []
  }

  private func stuck(_ fault: String) -> Stuck {
    isStuck = true
    return Stuck(fault: fault)
  }
}

extension SandboxServer {
  /// The URL of the inspector page with the key of the server.
  func inspectorURL() throws -> String {
    let outcome = try home.run("sandbox", "open", "--print")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.text.trimmingCharacters(in: .newlines)
  }
}
