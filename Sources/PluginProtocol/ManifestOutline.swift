import JSON

/// What a list of commands shows of a plugin: its manifest, read only as far as that takes.
///
/// Whatever is here is as it has to be, as in a ``Manifest``; the rest of the file may still be wrong.
package struct ManifestOutline: Sendable, Equatable {
  package let name: PluginName
  /// One line on what the plugin is for.
  package let summary: String
  /// One line on its command; nil for a provider that has none.
  package let command: String?

  /// Reads up to the last of what is wanted. Of a repeated member the first counts here.
  ///
  /// - Throws: ``ManifestError``, of which only ``Manifest/init(parsing:)`` knows the whole.
  package init(parsing bytes: [UInt8]) throws(ManifestError) {
    let picked: Result<JSONObject, JSONError> = bytes.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      do throws(JSONError) { return .success(try scanner.pick(Self.wanted)) } catch { return .failure(error) }
    }
    let object: JSONObject
    do { object = try picked.get() } catch { throw ManifestError("it is not JSON: \(error)") }
    let members = try Members(.object(object), of: "the manifest")
    let (name, kind) = try members.identity()
    (self.name, summary) = (name, try members.text("summary"))
    if let commands = members["commands"], !commands.isNull {
      command = try Members(commands, of: "'commands'").text("summary")
    } else {
      command = kind == .command ? summary : nil
    }
  }

  /// Of an object its members, and of one in it those that are wanted of that.
  private static let wanted: [(name: String, members: [String])] = [
    ("schema_version", []), ("name", []), ("kind", []), ("summary", []), ("commands", ["summary"]),
  ]
}

extension JSONScanner {
  /// The members of the object at the place; it goes no further than to the last of them.
  fileprivate mutating func pick(_ wanted: [(name: String, members: [String])]) throws(JSONError) -> JSONObject {
    var found = JSONObject()
    guard next == UInt8(ascii: "{") else { throw JSONError(problem: "no object", offset: place) }
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
