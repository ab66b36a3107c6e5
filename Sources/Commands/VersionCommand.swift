import CBuild
import CommandLine
import HTTP
import Output
import Session
import Store

/// The versions of this program and its components.
private struct Versions: OutputRecord {
  let swift: String

  static let fields: Fields = [
    Field("name", "The program's name", column: "NAME") { _ in "ifttt" },
    Field("version", "The program's version", column: "VERSION") { _ in programVersion },
    Field("commit", "The commit of a release build") { _ in cbuild_commit().map { String(cString: $0) } },
    Field("build_date", "The date of a release build") { _ in cbuild_date().map { String(cString: $0) } },
    Field("swift", "The version of the Swift compiler") { $0.swift },
    Field("sqlite", "The version of SQLite") { _ in Store.sqliteVersion },
    Field("libcurl", "The version of libcurl; null if it is missing") { _ in CurlLibrary.version },
  ]
}

enum VersionCommand: Command {
  struct Options: Sendable {}

  static let name = "version"
  static let summary = "Print the program's version"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      JSON output also includes the commit and date of the build, and the versions of the Swift compiler, SQLite and \
      libcurl. A value is null if it is unknown: only release builds have a commit and a date, and libcurl may be \
      missing.
      """
    ]
  }
  static var shape: OutputSchema? { .one(Versions.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard session.options.format != .table || session.options.fields != nil else {
      return .text("ifttt \(programVersion)\n")
    }
    return .one(Versions(swift: swiftVersion))
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
