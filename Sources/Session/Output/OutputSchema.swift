import IFTTT
package import JSON
package import Output

/// The description of a command's output: its JSON Schema, the columns of its table and the card of a single row.
package struct OutputSchema {
  private enum Source {
    /// The record type, created lazily because the command tree refers to all of them.
    case records(() -> any OutputRecord.Type)
    /// The JSON Schemas (2020-12) of one row and of a list, as serialized by another module.
    case texts(one: String, list: String)
  }
  /// The number of rows.
  package enum Form { case one, many, oneOrMany }

  private let source: Source
  private var makeColumns: () -> [Column]
  /// Formats one row as a card in the table format; nil to use the titles and values of the columns.
  package var card: ((JSONValue) -> Card)?
  /// Whether the result is one object, an array, or either one depending on the number of items requested.
  package var form: Form
  /// Whether the rows report the command's own work, such as changes, checks or events. Such rows cannot be selected:
  /// each one matters, and the work would end with the last selected one.
  private var isReport = false
  /// The schema of the output with some of the command's options; the command then checks `--fields` itself.
  package var alternative: (@Sendable () -> OutputSchema)?
  /// The schema of the output of a dry run; nil for requests.
  package var dryRun: (@Sendable () -> OutputSchema)?

  /// One record.
  package static func one(_ record: @autoclosure @escaping () -> any OutputRecord.Type) -> OutputSchema {
    OutputSchema(record, .one)
  }
  /// A list of records.
  package static func many(_ record: @autoclosure @escaping () -> any OutputRecord.Type) -> OutputSchema {
    OutputSchema(record, .many)
  }

  private init(_ record: @escaping () -> any OutputRecord.Type, _ form: Form) {
    (source, makeColumns, self.form) = (.records(record), { record().columns }, form)
  }

  /// Rows whose JSON another module or a plugin writes. The columns are created lazily.
  package init(
    one: String, list: String, columns: @autoclosure @escaping () -> [Column], form: Form = .many
  ) {
    (source, makeColumns, self.form) = (.texts(one: one, list: list), columns, form)
  }

  package var columns: [Column] { makeColumns() }

  /// The same schema with other columns, which are also created lazily.
  package func changingColumns(_ change: @escaping (inout [Column]) -> Void) -> OutputSchema {
    var copy = self
    copy.makeColumns = { [makeColumns] in
      var columns = makeColumns()
      change(&columns)
      return columns
    }
    return copy
  }

  /// Whether the output is a list, which `--search`, `--sort` and `--limit` select rows from.
  package var isList: Bool { form == .many && !isReport }

  /// The same schema for rows that report the command's own work.
  package var report: OutputSchema {
    var copy = self
    copy.isReport = true
    return copy
  }

  /// The same schema for one object.
  package var single: OutputSchema { with(.one) }
  /// The same schema for `connections show`, which prints one object for one id. All other commands that take several
  /// ids print an array.
  package var singleForOne: OutputSchema { with(.oneOrMany) }

  private func with(_ form: Form) -> OutputSchema {
    var copy = self
    copy.form = form
    return copy
  }
}

// MARK: JSON Schema

extension OutputSchema {
  /// - Throws: ``FieldsError/unknown(_:valid:)`` for the first path that `--fields` does not accept.
  package func check(_ paths: [FieldPath]) throws(FieldsError) {
    try FieldCatalog(fields).check(paths)
  }

  /// The dotted paths that `--fields` accepts.
  package var fields: [String] {
    switch source {
    case .records(let record): fieldCatalog(of: .object(record().schema))
    case .texts(let one, _): fieldCatalog(of: .written(one))
    }
  }

  /// The complete JSON Schema (2020-12): the object, an array of objects, or either one.
  package func document(named name: String) -> JSONValue {
    switch (source, form) {
    case (.texts(let one, _), .one): return .written(one)
    case (.texts(_, let list), .many): return .written(list)
    case (.texts(_, let list), .oneOrMany): return eitherOne(JSONValue.written(list).object ?? [:])
    case (.records(let record), let form):
      let schema = record().schema
      var document: JSONObject = [
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(name),
      ]
      if form == .one {
        for (key, value) in schema.members { document[key] = value }
        return .object(document)
      }
      document["type"] = "array"
      document["items"] = .object(schema)
      return form == .many ? .object(document) : eitherOne(document)
    }
  }

  /// Converts the document of an array into one that allows the array or a single element.
  private func eitherOne(_ list: JSONObject) -> JSONValue {
    var document = list
    guard let element = list["items"] else { return .object(list) }
    document["type"] = nil
    document["items"] = nil
    document["anyOf"] = [element, ["type": "array", "items": element]]
    return .object(document)
  }
}

extension JSONValue {
  /// Parses a JSON literal of this program.
  package static func written(_ text: String) -> JSONValue {
    guard let value = try? JSONValue(parsing: Array(text.utf8)) else { preconditionFailure("a schema is not JSON") }
    return value
  }
}

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
