import Display
import JSON
import PluginProtocol

extension Shape {
  /// What a plugin's command gives, as its manifest describes it; nil where it has no schema, so that nobody knows which
  /// fields there are.
  init?(checking output: ManifestOutput, named name: String) {
    guard let schema = output.schema else { return nil }
    let list: JSONValue = ["type": "array", "items": .written(schema)]
    self.init(
      name: name, record: RecordSchema(one: schema, list: list.text),
      columns: output.columns.compactMap { column in
        (try? Display.FieldPath(parsing: column.field)).map {
          Column(column.title, $0, overflow: column.isKept ? .keep : .truncate)
        }
      },
      form: output.form == .one ? .one : .many)
  }
}
