import Arguments
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

  /// - Throws: ``ManifestError`` with the first unknown member, and a similar one that exists.
  package func reject(in manifest: [UInt8]) throws(ManifestError) {
    // Other errors in the text are found by the reader.
    guard let value = try? JSONValue(parsing: manifest) else { return }
    try reject(in: value, schema, "the manifest")
  }

  private func reject(in value: JSONValue, _ schema: JSONValue, _ owner: String) throws(ManifestError) {
    let schema = resolved(schema)
    for alternative in schema["anyOf"]?.array ?? [] { try reject(in: value, alternative, owner) }
    if let items = schema["items"] {
      for element in value.array ?? [] { try reject(in: element, items, "an entry of \(owner)") }
    }
    guard let members = value.object?.members, let known = schema["properties"]?.object else { return }
    for (name, member) in members {
      if let inner = known[name] {
        try reject(in: member, inner, "'\(name)'")
      } else if schema["additionalProperties"] == .bool(false) {
        throw unknown(name, of: owner, among: known.members.map(\.key))
      }
    }
  }

  private func unknown(_ name: String, of owner: String, among names: [String]) -> ManifestError {
    // The name is shown in an error, so it must be printable.
    let shown = ManifestText.problem(in: name) == nil ? "'\(name)'" : "with unprintable characters"
    let near = NearestNames.of(name, among: names.filter { $0 != "$schema" })
    return ManifestError(
      "\(owner) has the unknown member \(shown)" + (near.first.map { "; did you mean '\($0)'?" } ?? ""))
  }

  private func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.string else { return schema }
    return self.schema["$defs"]?[String(reference.dropFirst("#/$defs/".utf8.count))] ?? schema
  }
}
