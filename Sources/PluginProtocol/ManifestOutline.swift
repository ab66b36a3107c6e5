import JSON
import Text

/// The part of a manifest that a list of commands shows. Nothing else is read.
///
/// These members are checked as in a ``Manifest``; the rest of the file may still be invalid.
package struct ManifestOutline: Sendable, Equatable {
  package let name: PluginName
  /// A one-line description of the plugin's purpose.
  package let summary: String
  /// The summary of its command; nil for a provider without commands.
  package let command: String?

  /// Reads up to the last member that is needed. If a member is repeated, the first one counts here.
  ///
  /// - Throws: ``ManifestError``. Only ``Manifest/init(parsing:)`` finds all errors.
  package init(parsing bytes: [UInt8]) throws(ManifestError) {
    let picked: Result<JSONObject, JSONError> = bytes.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes, at: (try? TextStart.markLength(of: bytes)) ?? 0)
      do throws(JSONError) { return .success(try scanner.pick(Self.wanted)) } catch { return .failure(error) }
    }
    let object: JSONObject
    do { object = try picked.get() } catch { throw ManifestError("it is not JSON: \(error)") }
    let problems = ManifestProblems()
    let members = Members(.object(object), of: "the manifest", problems)
    let identity = try members?.identity()
    let summary = members?.text("summary")
    let commands = members?["commands"]
    let command = commands == nil ? nil : members?.members("commands", of: "'commands'")?.text("summary")
    try problems.check()
    guard let name = identity?.name, let summary else { throw ManifestError("the manifest is not a JSON object") }
    (self.name, self.summary) = (name, summary)
    self.command = command ?? (identity?.kind == .command ? summary : nil)
  }

  /// The members to read, and for a nested object the members to read from it.
  private static let wanted: [(name: String, members: [String])] = [
    ("schema_version", []), ("name", []), ("kind", []), ("summary", []), ("commands", ["summary"]),
  ]
}

extension JSONScanner {
  /// The selected members of the object at the current position. Scanning stops at the last of them.
  fileprivate mutating func pick(_ wanted: [(name: String, members: [String])]) throws(JSONError) -> JSONObject {
    var found = JSONObject()
    guard next == UInt8(ascii: "{") else { throw JSONError(problem: "not an object", offset: place) }
    while found.members.count < wanted.count, let key = try nextKey() {
      let name = String(decoding: slice(key), as: UTF8.self)
      guard let want = wanted.first(where: { $0.name == name }), found[name] == nil else {
        _ = try skipValue()
        continue
      }
      if !want.members.isEmpty, next == UInt8(ascii: "{") {
        var inner = self
        found[name] = .object(try inner.pick(want.members.map { ($0, []) }))
        if found.members.count < wanted.count { _ = try skipValue() }
      } else {
        found[name] = try JSONValue(parsing: Array(slice(try skipValue())))
      }
    }
    return found
  }
}
