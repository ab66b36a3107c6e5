import GrabID
import HTTP
import IFTTT
import Session
import Text

/// A redirect of the browser, or a pasted URL, is accepted only if another reader finds the right address and exactly
/// one state, the expected one.
///
/// `$` stands for the state, which a fuzzer would never guess, and `@@` for the address.
enum CallbackProperties {
  private static let state = "st-4fG9kQ2ZrT8wLm0x"
  private static let address = "http://127.0.0.1:8123/callback"

  static func problem(in bytes: [UInt8]) -> String? {
    var text = ""
    for character in String(decoding: bytes, as: UTF8.self) {
      switch character {
      case "$": text += state
      case "@": text += address
      default: text.append(character)
      }
    }
    return pluginProblem(text) ?? activationProblem(text) ?? grabProblem(text)
  }

  private static func pluginProblem(_ text: String) -> String? {
    guard let address = RedirectAddress(parsing: address) else { return "the address is rejected" }
    let rules = RedirectRules(address: address, state: state, issuer: "https://issuer.test")
    for verdict in [rules.evaluate(text), rules.evaluate(query: text), rules.evaluate(pasted: text)] {
      guard case .accepted(let query) = verdict else { continue }
      guard values(of: "state", in: query) == [state] else { return "a query without the state: \(query)" }
      for name in ["code", "iss", "error"] where values(of: name, in: query).count > 1 { return "a repeated \(name)" }
      if let issuer = values(of: "iss", in: query).first, issuer != "https://issuer.test" { return "another issuer" }
    }
    if case .accepted = rules.evaluate(text), !text.hasPrefix("?") {
      let lower = text.lowercased()
      guard lower.hasPrefix("http://127.0.0.1:8123/callback"),
        !text.utf8.contains(UInt8(ascii: "@")) || text.contains("?")
      else { return "another address: \(text)" }
    }
    return nil
  }

  private static func activationProblem(_ text: String) -> String? {
    guard let own = try? RedirectURI(parsing: address).expecting("state", state) else { return "the URI is rejected" }
    for page in ActivationPage.allCases {
      guard case .accepted(let redirect) = RedirectParser(text, at: own, of: page) else { continue }
      guard text.lowercased().hasPrefix("http://127.0.0.1:8123/callback") else { return "another address: \(text)" }
      guard text.utf8.count >= own.text.utf8.count else { return "a shorter URL" }
      if case .complete(let token?) = redirect, token.revealed.isEmpty || token.revealed.hasControls() {
        return "a token with control characters"
      }
    }
    return nil
  }

  private static func grabProblem(_ text: String) -> String? {
    guard let uri = try? GrabRedirectURI(parsing: address), let pasted = try? RedirectedURL(pasted: text) else {
      return nil
    }
    let check = RedirectCheck(redirectURI: uri, state: state, issuer: "https://issuer.test", issuerIsRequired: true)
    guard let code = try? check.code(in: pasted) else { return nil }
    let query: String
    switch pasted {
    case .query(let text): query = text
    case .whole(let text):
      guard text.lowercased().hasPrefix("http://127.0.0.1:8123/callback") else { return "another address: \(text)" }
      query = String(text.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" })
    }
    guard values(of: "state", in: query) == [state], values(of: "iss", in: query) == ["https://issuer.test"],
      values(of: "code", in: query) == [code], values(of: "error", in: query).allSatisfy(\.isEmpty)
    else { return "a sign-in of another client: \(query)" }
    return nil
  }

  /// The values of a parameter, decoded once, with `+` as a space.
  private static func values(of name: String, in query: String) -> [String] {
    query.utf8.split(separator: UInt8(ascii: "&")).compactMap { piece in
      let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.first.map(decoded) == name else { return nil }
      return halves.count > 1 ? decoded(halves[1]) : ""
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    var (bytes, rest) = ([UInt8](), Array(text)[...])
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
