import Arguments
import CBuild
import CommandContext
import Display
import HTTP
import JSON
import Store

extension OutputSchema {
  static var version: OutputSchema {
    OutputSchema(
      name: "version",
      record: RecordSchema([
        "name": .string, "version": .string, "commit": .optionalString, "build_date": .optionalString, "swift": .string,
        "sqlite": .string, "libcurl": .optionalString,
      ]),
      columns: [Column("NAME", "name"), Column("VERSION", "version")], form: .one)
  }
}

enum VersionCommand: Command {
  struct Options: Sendable {}

  static let name = "version"
  static let summary = "Print the program's version"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      JSON output also has the commit and date of the build, and the versions of the Swift compiler, SQLite and libcurl. A \
      value is null if it is unknown: only release builds have a commit and a date, and libcurl may be missing.
      """
    ]
  }
  static var shape: OutputSchema? { .version }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard session.options.format != .table || session.options.fields != nil else { return .text("ifttt \(version)\n") }
    let row: JSONValue = [
      "name": "ifttt", "version": JSONValue(version), "commit": JSONValue(cbuild_commit().map { String(cString: $0) }),
      "build_date": JSONValue(cbuild_date().map { String(cString: $0) }), "swift": JSONValue(swiftVersion),
      "sqlite": JSONValue(Store.sqliteVersion), "libcurl": JSONValue(CurlLibrary.version),
    ]
    return .one(row.bytes, as: .version)
  }

  /// The version of the compiler. The compiler offers only a check for a minimum version.
  private static var swiftVersion: String {
    #if compiler(>=7.0)
      "7"
    #elseif compiler(>=6.5)
      "6.5"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
