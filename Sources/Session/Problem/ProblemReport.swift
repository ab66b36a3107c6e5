import JSON
import Output
package import Text
package import World

extension Problem {
  /// The lines for people: what happened, why, and what to do. Text from the network is escaped.
  /// - Parameter width: the column at which lines are wrapped between words; nil for no wrapping.
  package func lines(color: Bool, width: Int? = nil) -> String {
    func prefixed(_ lines: (_ remainingWidth: Int?) -> [String], with prefix: String) -> [String] {
      let remainingWidth = width.map { $0 - TextWidth.of(prefix) }
      let indent = String(repeating: " ", count: prefix.hasPrefix(" ") ? prefix.utf8.count : 2)
      return lines(remainingWidth).enumerated().map { ($0 == 0 ? prefix : indent) + $1 }
    }
    func wrapped(_ text: String, prefix: String) -> [String] {
      prefixed({ CommandWrap.lines(of: TerminalText.escaped(text), width: $0) }, with: prefix)
    }
    let program = "ifttt: "
    var lines = wrapped(message, prefix: program)
    if color { lines[0] = "\u{1b}[1;31mifttt:\u{1b}[0m " + lines[0].dropFirst(program.count) }
    let why = [reason, reference].compactMap { $0 }
    if !why.isEmpty { lines += wrapped(why.joined(separator: " "), prefix: "  ") }
    for detail in details {
      let text = [detail.parameter, detail.message].compactMap { $0 }.joined(separator: ": ")
      lines += wrapped(text, prefix: "  - ")
    }
    if let hint { lines += prefixed({ hint.lines(width: $0) }, with: "  ") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Hint {
  /// The lines for people. Commands are not split across lines, and control characters are escaped.
  package func lines(width: Int?) -> [String] {
    steps.flatMap { step in
      CommandWrap.lines(
        of: TerminalText.escaped(step.text), units: step.units.map { TerminalText.escaped($0) }, width: width)
    }
  }
}

extension Problem {
  /// The problem as a GitHub Actions annotation, which is shown next to the job's result. Credentials are masked before
  /// the text is formatted, because escapes would hide them.
  /// - Parameter item: the item of a batch that the problem is about; nil if there is only one.
  package func annotation(of item: String? = nil, in world: World) -> String {
    let problem = redacted(in: world)
    let title = ["ifttt", item.map(world.redacted), code.rawValue].compactMap { $0.map(TerminalText.escaped) }
      .joined(separator: ": ")
    let lines = [problem.summary] + (problem.hint?.steps.map(\.text) ?? [])
    let text = lines.map { TerminalText.escaped($0) }.joined(separator: "\n")
    return WorkflowCommands.error(title: title, text)
  }
}

/// A problem as the line of JSON on stderr, for scripts.
package struct ErrorLine: OutputRecord {
  let problem: Problem
  package init(_ problem: Problem) { self.problem = problem }

  package static let fields: Fields = [
    Field("error", "The error") { ErrorRecord(problem: $0.problem) }
  ]
}

/// A problem as one JSON object.
private struct ErrorRecord: ProblemRecord {
  let problem: Problem

  static let fields: Fields =
    summary { $0.code } + [
      Field("details", "Each invalid parameter, or each item of a batch that failed") { $0.problem.details },
      Field("exit_code", "The exit code") { Int($0.problem.code.exit.rawValue) },
      Field("request_id", "IFTTT's id of the request") { $0.problem.requestID?.shortened(to: 200) },
      Field("attempts", "The number of attempts; null if no request was sent") { $0.problem.attempts },
      Field("retry_after", "When to retry, in seconds, if the server sent Retry-After") { $0.problem.retryAfter },
    ]

  /// The schema, which allows additional members, because a plugin's error may have them.
  static var schema: JSONObject {
    var schema = objectSchema
    schema["additionalProperties"] = true
    return schema
  }

  var json: JSONValue {
    var error = object
    for (key, value) in problem.extra.members where error[key] == nil { error[key] = value }
    return .object(error)
  }
}

/// A problem in a row of a list, next to rows without a problem.
package struct ErrorSummary: OutputRecord, ProblemRecord {
  fileprivate let problem: Problem

  // The schema of a row accepts any code, because new codes may be added.
  package static let fields: Fields = summary { $0.code.rawValue }
}

private protocol ProblemRecord: OutputRecord {
  var problem: Problem { get }
}

extension ProblemRecord {
  /// The fields that the line on stderr and a row share.
  fileprivate static func summary(code: @escaping @Sendable (Problem) -> some OutputValue) -> Fields {
    [
      Field("code", "The error code") { code($0.problem) },
      Field("message", "What happened, and why if it is known", column: "ERROR", isInDataOnly: true) {
        $0.problem.summary
      },
      Field("hint", "What to do next") { $0.problem.hint?.text },
      Field("status", "The HTTP status, if there was a response") { $0.problem.status },
    ]
  }
}

extension Problem {
  /// The problem for a row of a list. It combines message and reason, because a script shows both or neither.
  package var brief: ErrorSummary { ErrorSummary(problem: self) }
}

extension Problem.Code: OutputValue {}

extension Problem.Detail: OutputRecord {
  package static let fields: Fields = [
    Field("parameter", "The name of the parameter or item") { $0.parameter },
    Field("message", "The problem") { $0.message },
  ]
}
