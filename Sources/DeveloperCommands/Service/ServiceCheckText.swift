import HTTP
import IFTTT
import Output
import Session
import Text
import World

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

/// A request and its response as lines for people, with credentials masked, and the `curl` command that repeats the
/// request.
enum ExchangeText {
  /// The bytes of a body that are shown.
  private static let longestBody = 2000

  static func lines(_ exchange: ServiceExchange) -> [String] {
    let redactor = Redactor(exchange.secrets)
    let request = exchange.request
    var lines = ["> \(request.method.rawValue) \(request.url.redacted)"]
    lines += request.headers.map {
      "> \($0.name): \($0.secret == ServiceTestPlan.wrongCredential ? $0.wire : $0.redacted)"
    }
    lines += body(request.body ?? [], behind: "> ")
    switch exchange.result {
    case .failure: lines.append("< \(exchange.description)")
    case .success(let response):
      lines.append("< \(response.status)")
      lines += response.headers.map { "< \($0.name): \($0.value)" }
      lines += body(exchange.shownBody, behind: "< ")
    }
    return lines.map { TerminalText.escaped(redactor.redact($0)) } + [curl(request, redactor)]
  }

  private static func body(_ bytes: [UInt8], behind mark: String) -> [String] {
    guard !bytes.isEmpty else { return [] }
    let text = String(decoding: bytes.prefix(longestBody), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { mark + $0 }
    return bytes.count > longestBody ? lines + ["\(mark)… (\(bytes.count) bytes)"] : lines
  }

  /// The command reads secrets from the environment, so that it can be pasted into an issue.
  private static func curl(_ request: Request, _ redactor: Redactor) -> String {
    var arguments = ["curl", "-i", "--compressed", "-X", request.method.rawValue, ShellWord.quoted(request.url.wire)]
    for header in request.headers {
      arguments.append("-H")
      switch header.value {
      case .text(let text): arguments.append(ShellWord.quoted("\(header.name): \(text)"))
      case .secret(let prefix, let secret):
        let variable = header.name == "Authorization" ? EnvironmentVariable.accessToken : .serviceKey
        // A credential that is wrong on purpose is not a secret.
        let value = secret == ServiceTestPlan.wrongCredential ? secret.revealed : "$\(variable.name)"
        arguments.append("\"\(header.name): \(prefix)\(value)\"")
      }
    }
    if let body = request.body {
      // A form contains the client secret and codes. They are masked, because no option of curl keeps them out of the
      // arguments.
      let text = redactor.redact(String(decoding: body, as: UTF8.self))
      arguments += ["--data-binary", ShellWord.pastable(text) ?? TerminalText.escaped(ShellWord.quoted(text))]
    }
    return arguments.joined(separator: " ")
  }
}

extension Header {
  fileprivate var secret: Secret? { if case .secret(_, let secret) = value { secret } else { nil } }
}
