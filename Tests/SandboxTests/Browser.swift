import Foundation
import HTTP
import JSON
import Sandbox
import Testing

/// A simulated browser for the sandbox's pages. It submits forms with their current values, encoded as a browser
/// does.
struct Browser {
  var session = EmulatorSession()
  /// The current page and its URL.
  private(set) var shown = Response(status: 0)
  private(set) var address = ""

  /// - Parameter target: The path and query, as sent over the network.
  @discardableResult
  mutating func open(_ target: String) -> Response {
    address = target
    return send("GET", [])
  }

  /// Submit the first form of the page with a button. Typed values replace the current ones.
  @discardableResult
  mutating func press(_ button: (name: String, value: String), typing: [String: String?] = [:]) -> Response {
    var items = Self.inputs(in: html.components(separatedBy: "</form>")[0])
      .filter { typing[$0.name] == nil }
    items += typing.compactMap { name, value in value.map { QueryItem(name, $0) } }
    items.append(QueryItem(button.name, button.value))
    return send("POST", items)
  }

  @discardableResult
  mutating func goOn(typing: [String: String?] = [:]) -> Response { press(("do", "go"), typing: typing) }

  var html: String { String(decoding: shown.body, as: UTF8.self) }
  /// The current step of the activation.
  var step: String? { Self.inputs(in: html).first { $0.name == "step" }?.value }

  /// The URL of the redirect.
  var returned: String? { shown.header("Location") }

  private mutating func send(_ method: String, _ form: [QueryItem]) -> Response {
    let body = Self.body(form)
    let request = Request(
      receivedMethod: method, target: address,
      headers: form.isEmpty ? [] : [Header("Content-Type", "application/x-www-form-urlencoded")],
      body: method == "POST" ? Array(body.utf8) : [])
    guard let request else { return Response(status: 0) }
    shown = session.emulator.response(to: request, target: address, at: EmulatorSession.now)
    return shown
  }

  /// A form as a browser encodes it.
  static func body(_ form: [QueryItem]) -> String {
    form.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  }

  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        byte < 0x7f && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" + digits : digits)
    }.joined()
  }

  /// The values of all inputs, selected options and text areas, as far as the pages use them.
  static func inputs(in html: String) -> [QueryItem] {
    var found: [QueryItem] = []
    for tag in html.split(separator: "<").map(String.init) {
      let name = attribute("name", of: tag)
      if tag.hasPrefix("input "), let name {
        if tag.contains("type=\"checkbox\""), !tag.contains(" checked>") { continue }
        found.append(QueryItem(name, attribute("value", of: tag) ?? ""))
      } else if tag.hasPrefix("textarea "), let name, let start = tag.firstIndex(of: ">") {
        found.append(QueryItem(name, unescaped(String(tag[start...].dropFirst(2)))))
      } else if tag.hasPrefix("select "), let name {
        found.append(QueryItem(name, ""))
      } else if tag.hasPrefix("option "), tag.contains(" selected>"), let last = found.indices.last {
        found[last].value = attribute("value", of: tag) ?? ""
      }
    }
    return found
  }

  static func attribute(_ name: String, of tag: String) -> String? {
    guard let start = tag.range(of: " \(name)=\"") else { return nil }
    return unescaped(String(tag[start.upperBound...].prefix { $0 != "\"" }))
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}
