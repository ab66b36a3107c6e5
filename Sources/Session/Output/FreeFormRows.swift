package import JSON
import Output

extension OutputSchema {
  /// Rows whose keys are not known in advance. An empty object would carry no information.
  /// - Parameter source: the origin of the rows, such as `a query`.
  package static func freeForm(_ source: String) -> OutputSchema {
    let row = #""type":"object","minProperties":1,"additionalProperties":{}"#
    let start = #"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"#
    return OutputSchema(
      one: #"\#(start)"A row of \#(source)",\#(row)}"#,
      list: #"\#(start)"Rows of \#(source)","type":"array","items":{\#(row)}}"#, columns: [])
  }
}

extension [Column] {
  /// One column per key, in order of first appearance.
  package init(keysOf rows: [JSONObject]) {
    var (keys, seen): ([String], Set<String>) = ([], [])
    for key in rows.lazy.flatMap({ $0.members.map(\.key) }) where seen.insert(key).inserted { keys.append(key) }
    // A key with a dot or without a letter cannot be written as a path.
    self = keys.compactMap { key in
      (try? FieldPath(parsing: key)).flatMap { $0.names.count == 1 ? Column(key, $0) : nil }
    }
  }
}
