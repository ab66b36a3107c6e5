import JSON
import Text

/// Prints rows as assignments of variables, for `eval` in a shell and for files such as `$GITHUB_OUTPUT`: one object as
/// `status=enabled`, and a list as `count=2` and `status_1=enabled`.
///
/// The names are those of the fields, with an underscore for each dot. Null is empty. A value that a shell would change is
/// quoted for a POSIX shell.
struct EnvironmentPrinter: RowPrinter {
  private let isList: Bool
  private let names: [String]
  private var projection: FieldProjection
  private var count = 0

  init(_ fields: [FieldPath], _ shape: Cardinality) {
    isList = shape == .array
    names = fields.map { field in
      String(
        decoding: field.text.utf8.map { $0.isLetterOrDigit ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }
    projection = FieldProjection(fields)
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    try projection.read(row)
    var lines: [UInt8] = []
    for (index, name) in names.enumerated() {
      var (json, value): ([UInt8], [UInt8]) = ([], [])
      try projection.appendJSON(index, of: row, to: &json)
      json.withUnsafeBytes { CellText.appendPlain($0, to: &value) }
      let text = String(decoding: value, as: UTF8.self)
      lines.append(isList ? "\(name)_\(count + 1)=" : "\(name)=")
      if !text.isEmpty { lines.append(ShellWord.pastable(text) ?? ShellWord.quoted(text)) }
      lines.append("\n")
    }
    count += 1
    output.bytes.append(contentsOf: lines)
    try output.endLine()
  }

  mutating func finish(again rows: Rows, to output: inout BufferedOutput) throws {
    if isList { output.bytes.append("count=\(count)\n") }
  }
}
