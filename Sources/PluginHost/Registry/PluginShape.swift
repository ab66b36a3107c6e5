package import CommandContext
import Display
import JSON
package import PluginProtocol

extension OutputSchema {
  /// What a plugin's command gives, as its manifest describes it.
  package init(_ output: ManifestOutput, named name: String) {
    let one = output.schema ?? #"{"type":"object"}"#
    let list: JSONValue = ["type": "array", "items": .written(one)]
    self.init(
      name: name, record: RecordSchema(one: one, list: list.text),
      columns: output.columns.compactMap { column in
        (try? Display.FieldPath(parsing: column.field)).map {
          Column(
            column.title, $0, style: column.field == "status" ? .status : .plain,
            overflow: column.isKept ? .keep : .truncate)
        }
      },
      form: output.form == .one ? .one : .many)
  }

  /// The same for looking at fields before anything is run; nil where it has no schema, so that nobody knows which fields
  /// there are.
  package init?(checking output: ManifestOutput, named name: String) {
    guard output.schema != nil else { return nil }
    self.init(output, named: name)
  }
}
