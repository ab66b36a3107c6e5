import IFTTT
import Output
import Session
import Text

/// The results of checks as lines for people, below the endpoint that they are about. Beside the names of checks, the
/// endpoint of a field would not fit on a narrow terminal.
struct ServiceCheckText {
  /// The width of the terminal; nil for no limit.
  let columns: Int?
  let color: Bool
  /// Whether a failure shows its request and response.
  let details: Bool

  /// The endpoint of the last result.
  private var endpoint: ServicePath?

  private static let outcomeIndent = 2
  private static let indent = 11

  init(columns: Int?, color: Bool, details: Bool) {
    (self.columns, self.color, self.details) = (columns, color, details)
  }

  mutating func lines(_ result: ServiceCheckResult) -> String {
    var lines: [String] = []
    if result.endpoint != endpoint {
      lines.append(shown(TerminalText.escaped(result.endpoint.description), .bold))
      endpoint = result.endpoint
    }
    let word = result.outcome.rawValue
    let padding = Self.indent - Self.outcomeIndent - word.utf8.count
    lines.append(
      Self.spaces(Self.outcomeIndent) + shown(word, result.tone) + Self.spaces(padding) + result.check.name)
    if result.outcome != .passed, let message = result.message { lines += indented(Hint(message)) }
    if result.outcome == .failed || result.outcome == .warning {
      lines += indented(Hint(result.check.advice))
      if details, let exchange = result.exchange {
        lines += ExchangeText.lines(exchange).map { Self.spaces(Self.indent) + $0 }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func shown(_ text: String, _ tone: Tone) -> String { color ? tone.around(text) : text }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private func indented(_ hint: Hint) -> [String] {
    hint.lines(width: columns.map { max($0 - Self.indent, 20) }).map { Self.spaces(Self.indent) + $0 }
  }
}

extension ServiceCheckResult {
  fileprivate var tone: Tone {
    switch outcome {
    case .passed: .green
    case .failed: .red
    case .skipped: .dim
    case .warning: .yellow
    }
  }
}
