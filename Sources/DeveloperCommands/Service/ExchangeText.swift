import HTTP
import IFTTT
import Output
import Text
import World

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
    var words = ["curl", "-i", "--compressed", "-X", request.method.rawValue, ShellWord.quoted(request.url.wire)]
    for header in request.headers {
      words.append("-H")
      switch header.value {
      case .text(let text): words.append(ShellWord.quoted("\(header.name): \(text)"))
      case .secret(let prefix, let secret):
        let variable = header.name == "Authorization" ? EnvironmentVariable.accessToken : .serviceKey
        // A credential that is wrong on purpose is not a secret.
        let value = secret == ServiceTestPlan.wrongCredential ? secret.revealed : "$\(variable.name)"
        words.append("\"\(header.name): \(prefix)\(value)\"")
      }
    }
    if let body = request.body {
      // A form contains the client secret and codes. They are masked, because no option of curl keeps them out of the
      // arguments.
      let text = redactor.redact(String(decoding: body, as: UTF8.self))
      words += ["--data-binary", ShellWord.pastable(text) ?? TerminalText.escaped(ShellWord.quoted(text))]
    }
    return words.joined(separator: " ")
  }
}

extension Header {
  fileprivate var secret: Secret? { if case .secret(_, let secret) = value { secret } else { nil } }
}
