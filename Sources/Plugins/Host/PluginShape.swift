import JSON
import Output
package import PluginProtocol
package import Session

extension OutputSchema {
  /// The output of a plugin's command, as described by its manifest.
  package init(_ output: ManifestOutput) {
    let one = output.schema ?? #"{"type":"object"}"#
    let list: JSONValue = ["type": "array", "items": .written(one)]
    self.init(
      one: one, list: list.text,
      columns: output.columns.compactMap { column in
        (try? FieldPath(parsing: column.field)).map {
          Column(
            column.title, $0, style: column.field == "status" ? .status : .plain,
            overflow: column.isKept ? .keep : .truncate)
        }
      },
      form: output.form == .one ? .one : .many)
  }

  /// The schema for checking `--fields` before the command runs; nil if the manifest has no schema, because the
  /// fields are then unknown.
  package init?(checking output: ManifestOutput) {
    guard output.schema != nil else { return nil }
    self.init(output)
  }
}
