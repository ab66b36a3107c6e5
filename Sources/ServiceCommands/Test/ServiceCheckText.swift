import CommandContext
import Display
import Hints
import Secrets
import ServiceAPI

/// The result of a check as lines for people.
struct ServiceCheckText {
  /// The width of the terminal; nil for no limit.
  let columns: Int?
  let color: Bool
  /// Whether a failure shows its request and response.
  let details: Bool

  private static let indent = 9
  /// The width of most names. The longest would leave no room for the endpoint on a narrow terminal.
  private static let nameWidth = 30

  private static func padding(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.utf8.count, 1))
  }

  func lines(_ result: ServiceCheckResult) -> String {
    let word = result.outcome.rawValue
    var lines = [
      (color ? result.tone.around(word) : word) + Self.padding(word, Self.indent) + result.check.name
        + Self.padding(result.check.name, Self.nameWidth) + TerminalText.escaped(result.endpoint.description)
    ]
    if result.outcome != .passed, let message = result.message { lines += indented(Hint(message)) }
    if result.outcome == .failed || result.outcome == .warning {
      lines += indented(Hint(result.check.advice))
      if details, let exchange = result.exchange {
        lines += ExchangeText.lines(exchange).map { String(repeating: " ", count: Self.indent) + $0 }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func indented(_ hint: Hint) -> [String] {
    hint.lines(width: columns.map { max($0 - Self.indent, 20) }).map {
      String(repeating: " ", count: Self.indent) + $0
    }
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
