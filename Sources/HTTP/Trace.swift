import JSON
import Text
import World

/// The lines that `--verbose` shows for an exchange, with credentials masked and control characters replaced.
enum Trace {
  /// - Parameter redactor: hides all credentials the request had before any redirect, because its URL may still
  ///   contain them.
  static func sent(_ request: Request, hiding redactor: Redactor) -> [String] {
    (["> \(request.method.rawValue) \(request.url.redacted)"]
      + request.headers.map { "> \($0.name): \($0.redacted)" }).map { printable(redactor.redact($0)) }
  }

  static func received(
    _ result: Result<Response, TransportError>, to request: Request, after time: Duration, hiding redactor: Redactor
  ) -> String {
    switch result {
    case .success(let response):
      // The response to a request with credentials in its body names new ones, which only the response contains.
      let named = Redactor(request.bodySecrets.isEmpty ? [] : named(in: response.body))
      // Masked as a whole, because the beginning of a credential at the cut would not be recognized.
      let type = response.header("Content-Type").map { "\(named.redact(redactor.redact($0)).prefix(80)) " } ?? ""
      return printable(
        redactor.redact("< \(response.status) \(type)\(response.body.count) bytes \(time.wholeMilliseconds) ms"))
    case .failure(let failure):
      return printable(redactor.redact("< failed: \(failure.message), \(time.wholeMilliseconds) ms"))
    }
  }

  /// - Parameter number: of the retry, counted from 1.
  static func retry(_ number: Int, after wait: Duration, because result: Result<Response, TransportError>) -> String {
    let reason =
      switch result {
      case .success(let response): String(response.status)
      case .failure(let failure): "\(failure.kind)"
      }
    let tenths = (wait.wholeMilliseconds + 50) / 100
    return "retry \(number) in \(tenths / 10).\(tenths % 10) s: \(reason)"
  }

  static func redirect(from: WebURL, to target: WebURL) -> String {
    from.origin == target.origin
      ? "redirect on the same host" : "redirect to \(target.origin), credentials not sent"
  }

  /// The credentials that a JSON body names, such as `"access_token": "…"`; none in a body that is not JSON.
  private static func named(in body: [UInt8]) -> [Secret] {
    func named(in value: JSONValue) -> [Secret] {
      if let elements = value.array { return elements.flatMap(named) }
      return (value.object?.members ?? []).flatMap { name, value in
        guard SecretNames.holds(name), let text = value.string else { return named(in: value) }
        return Secret(parsing: text).map { [$0] } ?? []
      }
    }
    return (try? JSONValue(parsing: body)).map { named(in: $0) } ?? []
  }

  private static func printable(_ line: String) -> String {
    String(
      String.UnicodeScalarView(
        line.unicodeScalars.map { $0.value < 0x20 || 0x7f...0x9f ~= $0.value ? "\u{FFFD}" : $0 }))
  }
}
