import CommandLine
import JSON
package import PluginProtocol

/// Finds members of a manifest that its JSON Schema does not define, such as misspelled ones.
///
/// They are errors only when a plugin is installed, linked or tested. A plugin that is already installed may have been
/// written for a later version, and continues to work.
package struct UnknownMembers {
  private let schema: JSONValue

  package init() {
    guard let schema = try? JSONValue(parsing: Array(ManifestSchema.document.utf8)) else {
      preconditionFailure("the schema of manifests is not JSON")
    }
    self.schema = schema
  }

  /// - Throws: ``ManifestError`` with each unknown member, and a similar one that exists.
  package func reject(in manifest: [UInt8]) throws(ManifestError) {
    let problems = problems(in: manifest)
    if !problems.isEmpty { throw ManifestError(problems: problems) }
  }

  /// The unknown members of a manifest of this version of the format, as problems. Other errors in the text are found by
  /// the reader.
  package func problems(in manifest: [UInt8]) -> [String] {
    guard let value = try? JSONValue(document: manifest, values: JSONValue.maximumValues) else { return [] }
    var problems: [String] = []
    search(value, schema, "the manifest", &problems)
    return problems
  }

  private func search(_ value: JSONValue, _ schema: JSONValue, _ owner: String, _ problems: inout [String]) {
    let schema = resolved(schema)
    for alternative in schema["anyOf"]?.array ?? [] { search(value, alternative, owner, &problems) }
    if let items = schema["items"] {
      for element in value.array ?? [] { search(element, items, "an entry of \(owner)", &problems) }
    }
    guard let members = value.object?.members, let known = schema["properties"]?.object else { return }
    for (name, member) in members {
      if let inner = known[name] {
        search(member, inner, "'\(name)'", &problems)
      } else if schema["additionalProperties"] == .bool(false) {
        let problem = problem(of: name, of: owner, among: known.members.map(\.key))
        if !problems.contains(problem) { problems.append(problem) }
      }
    }
  }

  private func problem(of name: String, of owner: String, among names: [String]) -> String {
    // The name is shown in an error, so it must be printable.
    let shown = ManifestText.problem(in: name) == nil ? "'\(name)'" : "with unprintable characters"
    let near = Self.suggestion(for: name, among: names.filter { $0 != "$schema" })
    return "\(owner) has the unknown member \(shown)" + (near.map { "; did you mean '\($0)'?" } ?? "")
  }

  /// A known member with a similar name, of which the name is an abbreviation, or that has the same meaning.
  private static func suggestion(for name: String, among known: [String]) -> String? {
    NearestNames.of(name, among: known).first ?? known.first { isAbbreviation(name, of: $0) }
      ?? synonyms[name].flatMap { known.contains($0) ? $0 : nil }
  }

  private static func isAbbreviation(_ name: String, of whole: String) -> Bool {
    guard name.utf8.count >= 3, name.utf8.first == whole.utf8.first else { return false }
    var rest = name.utf8[...]
    for byte in whole.utf8 where byte == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// Members of other manifests.
  private static let synonyms = [
    "description": "summary", "author": "vendor", "flags": "options", "parameters": "arguments", "main": "executable",
    "bin": "executable", "title": "name",
  ]

  private func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.string else { return schema }
    return self.schema["$defs"]?[String(reference.dropFirst("#/$defs/".utf8.count))] ?? schema
  }
}
