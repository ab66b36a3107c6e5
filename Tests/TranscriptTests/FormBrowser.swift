import Foundation
import Support
import Testing

/// A browser that follows redirects between servers of this machine and submits the forms of their pages.
struct FormBrowser {
  /// The origins of the servers. A redirect to any other place ends the visit.
  let origins: [String]
  private(set) var status = 0
  private(set) var html = ""
  private(set) var url = ""
  /// The redirect that ended the visit.
  private(set) var returned: String?

  init(_ origins: String...) { self.origins = origins }

  mutating func open(_ url: String) throws { try load(url, form: nil) }

  /// Submit the first form of the page with a button, as changed by `typing`.
  mutating func press(_ name: String, _ value: String, typing: [String: String] = [:]) throws {
    let form = try #require(html.components(separatedBy: "<form ").dropFirst().first, "\(html)")
    let text = form.components(separatedBy: "</form>")[0]
    let action = Self.attribute("action", of: String(text.prefix { $0 != ">" })) ?? url
    var items = Self.inputs(in: text).filter { typing[$0.name] == nil }
    items += typing.map { (name: $0.key, value: $0.value) } + [(name, value)]
    let target = try #require(URL(string: action, relativeTo: URL(string: url))).absoluteString
    try load(target, form: items)
  }

  mutating func goOn(typing: [String: String] = [:]) throws { try press("do", "go", typing: typing) }

  /// The step of an activation.
  var step: String? { Self.inputs(in: html).first { $0.name == "step" }?.value }

  private mutating func load(_ first: String, form: [(name: String, value: String)]?) throws {
    var (next, form) = (first, form)
    returned = nil
    for _ in 0..<10 {
      let words = (form ?? []).flatMap { ["--data-urlencode", "\($0.name)=\($0.value)"] }
      let outcome = try Tool.required("curl").run(
        ["-sS", "--max-time", "60", "-w", "\n%{http_code} %{redirect_url}"] + words + [next], in: ScratchFolder())
      try #require(outcome.status == 0, "\(next): \(outcome.errors)")
      let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
      let result = try #require(lines.last).split(separator: " ")
      (status, html, url) = (Int(result[0]) ?? 0, lines.dropLast().joined(separator: "\n"), next)
      guard result.count == 2 else { return }
      next = String(result[1])
      guard origins.contains(where: { next.hasPrefix("\($0)/") }) else {
        returned = next
        return
      }
      form = nil
    }
    Issue.record("too many redirects: \(next)")
  }

  /// The values that the form would submit without a person's changes.
  private static func inputs(in html: String) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for tag in html.split(separator: "<").map(String.init) {
      let name = attribute("name", of: tag)
      if tag.hasPrefix("input "), let name {
        let isChoice = tag.contains(#"type="checkbox""#) || tag.contains(#"type="radio""#)
        if !isChoice || tag.contains(" checked") { found.append((name, attribute("value", of: tag) ?? "")) }
      } else if tag.hasPrefix("select "), let name {
        found.append((name, ""))
      } else if tag.hasPrefix("option "), tag.contains(" selected"), let last = found.indices.last {
        found[last].value = attribute("value", of: tag) ?? ""
      } else if tag.hasPrefix("textarea "), let name {
        found.append((name, unescaped(String(tag.drop { $0 != ">" }.dropFirst()))))
      }
    }
    return found
  }

  private static func attribute(_ name: String, of tag: String) -> String? {
    guard let start = tag.range(of: "\(name)=\"") else { return nil }
    return unescaped(String(tag[start.upperBound...].prefix { $0 != "\"" }))
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}
