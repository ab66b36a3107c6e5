import JSON
package import PluginProtocol
package import Session
import Text

// Converts errors of plugins to problems and vice versa.

extension Problem {
  /// - Parameter plugin: the plugin that returned the error.
  package init(_ error: PluginError, of plugin: PluginName) {
    let requestedCode = error.code.flatMap(Code.init(rawValue:))
    // Some codes are reserved: a plugin has no access to this program's store, and it cannot end the program as
    // Ctrl-C does.
    let code: Code = requestedCode.map { $0.isForPlugins ? $0 : .pluginFailed } ?? .pluginFailed
    var hint = error.hint.map { Hint(ofPlugin: PlainText.withoutEscapes($0)) }
    if let seconds = error.retryAfter, seconds > 0 {
      hint = Hint.joined([hint, "Try again in \(seconds) s."].compactMap { $0 })
    }
    var message = PlainText.withoutEscapes(error.message)
    if hint == nil, message.includes("Permission denied") || message.includes("Operation not permitted") {
      hint =
        "A plugin opens only its own files and those that its manifest declares: \(ifttt: "plugin show \(plugin)")"
    }
    if code == .pluginFailed { message = "plugin '\(plugin)': \(message)" }
    self.init(
      code, message, reason: error.reason.map(PlainText.withoutEscapes), hint: hint, status: error.status,
      details: error.details.prefix(50).map { Detail(parameter: $0.parameter, message: $0.message) })
    if let seconds = error.retryAfter, seconds >= 0 { retryAfter = seconds }
    extra = error.extra?.json.object ?? [:]
    reference = error.reference.map(PlainText.withoutEscapes)
  }

  package init(_ failure: PluginSessionError, of plugin: PluginName) {
    switch failure {
    case .cancelled: self = .interrupted
    case .refused(let error): self.init(error, of: plugin)
    case .timeUp(let method, _):
      self.init(
        .pluginFailed, "plugin '\(plugin)' failed", reason: failure.description,
        hint: ["initialize", "complete"].contains(method)
          ? "Test it with \(ifttt: "plugin test PATH"); \(ifttt: "plugin show \(plugin)") shows its folder."
          : "Allow more time with --timeout.")
    case .notAnnounced:
      self.init(
        .refused, "plugin '\(plugin)' cannot do this", reason: failure.description,
        hint: "See what it can do: \(ifttt: "plugin show \(plugin)").")
    case .wrongVersion:
      self.init(
        .pluginFailed, "plugin '\(plugin)' and this program use different protocol versions",
        reason: failure.description, hint: "Update the plugin or ifttt.")
    case .stray:
      self.init(
        .pluginFailed, "plugin '\(plugin)' failed", reason: failure.description,
        hint: """
          Its author must print to stderr, because stdout belongs to the protocol. To see all messages, pass \
          \(ifttt: "--trace-plugins").
          """)
    case .invalidMessage:
      self.init(
        .pluginFailed, "plugin '\(plugin)' failed", reason: failure.description,
        hint: "To see what it wrote, pass \(ifttt: "--trace-plugins").")
    case .notStarted, .wrongName, .tooLong, .flood, .died:
      self.init(
        .pluginFailed, "plugin '\(plugin)' failed", reason: failure.description,
        hint: "Other commands are not affected; \(ifttt: "--no-plugins") disables plugins.")
    }
  }
}

extension Problem.Code {
  fileprivate var isForPlugins: Bool {
    switch self {
    case .interrupted, .usage, .partial, .notYet, .differs, .notRecorded, .outputFailed: self == .usage
    default: exit != .store
    }
  }
}

extension PluginError {
  /// The error that a plugin receives for one of the program's problems.
  package init(_ problem: Problem) {
    self.init(problem.code.rawValue, problem.message, reason: problem.reason, hint: problem.hint?.text)
    if problem.code == .interrupted { self = .cancelled }
  }
}

// Converts the errors of plugins to problems.

extension PluginTrustError: ProblemConvertible {
  /// A broken plugin has failed; a plugin that may be valid but is not trusted is rejected.
  package var problem: Problem {
    let code: Problem.Code = verdict.status == .broken ? .pluginFailed : .refused
    return Problem(code, "plugin '\(plugin)' is not run", reason: verdict.problem, hint: verdict.advice)
  }
}

extension ManifestError: ProblemConvertible {
  package var problem: Problem {
    Problem(.pluginFailed, "the plugin's manifest is invalid", reason: description)
  }
}

extension PluginContentsError: ProblemConvertible {
  package var problem: Problem { Problem(.pluginFailed, "this is not a plugin", reason: description) }
}
