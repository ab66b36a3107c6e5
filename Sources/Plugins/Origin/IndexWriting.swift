import JSON

extension PluginIndex {
  /// The text of an index file in which an entry is added, or replaced if it has the same name, version and platform.
  /// All other members stay as they are.
  /// - Parameters:
  ///   - bytes: the present file; nil if there is none.
  ///   - name: the name of a new index.
  /// - Throws: ``PluginContentsError`` if the present file is not a valid index.
  package static func adding(
    _ entry: IndexEntry, to bytes: [UInt8]?, named name: String
  ) throws(PluginContentsError) -> [UInt8] {
    var index: JSONObject = ["schema_version": 1, "name": .string(name), "plugins": []]
    if let bytes {
      _ = try PluginIndex(parsing: bytes)
      index = (try? JSONValue(document: bytes, values: JSONValue.maximumValues))?.object ?? index
    }
    var entries = (index["plugins"]?.array ?? []).filter { value in
      (try? IndexEntry(value)).map { old in
        old.name != entry.name || old.version != entry.version || old.platform != entry.platform
      } ?? true
    }
    entries.append(entry.json)
    index["plugins"] = .array(entries)
    // One entry per line, so that a diff is easy to read.
    let members = index.members.map { key, value in
      let text =
        key == "plugins" ? "[\n\(entries.map { "    \($0.text)" }.joined(separator: ",\n"))\n  ]" : value.text
      return "  \(JSONValue.string(key).text): \(text)"
    }
    let written = Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
    _ = try PluginIndex(parsing: written)
    return written
  }
}
