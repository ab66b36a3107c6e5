import Arguments
import Display
import JSON

extension Shape {
  static var version: Shape {
    Shape(
      name: "version", record: RecordSchema(["name": .string, "version": .string]),
      columns: [Column("NAME", "name"), Column("VERSION", "version")], form: .one)
  }
}

enum VersionCommand: Command {
  struct Options: Sendable {}

  static let name = "version"
  static let summary = "Print the program's version"
  static let group: String? = "Help"
  static var shape: Shape? { .version }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard session.options.format != .table || session.options.fields != nil else { return .text("ifttt \(version)\n") }
    let row: JSONValue = ["name": "ifttt", "version": JSONValue(version)]
    return .one(row.bytes, as: .version)
  }
}
