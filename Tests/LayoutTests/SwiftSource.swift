import Foundation
import Support

/// One source file of the program, as needed by the layout tests.
struct SwiftSource {
  /// The path relative to `Sources`, such as `IFTTT/Connect/Activation/ActivationFlow.swift`.
  let path: String
  /// The text without comments and string literals.
  let code: String
  /// The types at file level that other files can name.
  let types: [String]
  /// The whole text.
  let text: String

  var module: String { String(path.prefix { $0 != "/" }) }
  /// The folder within the module; empty for the module's own.
  var folder: String { path.split(separator: "/").dropFirst().dropLast().joined(separator: "/") }
  var name: String { String(path.split(separator: "/").last?.dropLast(".swift".count) ?? "") }

  /// All files of the program, read once for all tests.
  static let shared = Result { try all() }

  private static func all() throws -> [SwiftSource] {
    try Checkout.sources().map { path in
      let text = try Checkout.text(path)
      let code = code(of: text)
      return SwiftSource(
        path: String(path.dropFirst("Sources/".count)), code: code, types: types(in: code), text: text)
    }
  }

  /// The modules that it imports.
  var imports: Set<String> {
    Set(code.matches(of: /(?m)^\s*(?:package |public |internal )?import (\w+)/).map { String($0.output.1) })
  }

  private static func types(in code: String) -> [String] {
    code.matches(
      of: /(?m)^(?:(?:package|public|final|indirect|@\w+) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    ).map { String($0.output.1) }
  }

  /// The identifiers in the code, except those after a dot.
  var identifiers: Set<String> { Set(code.matches(of: /(?:^|[^.\w])([A-Z]\w*)/).map { String($0.output.1) }) }

  /// The contents of the string literals of one line, escapes included.
  var literals: [String] { Self.literals(of: text) }

  static func literals(of text: String) -> [String] {
    text.replacing(/(?s)#*""".*?"""#*/, with: "").matches(of: /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/).map(\.output)
      .filter { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) }
  }

  private static func code(of text: String) -> String {
    text.replacing(/(?s)\/\*.*?\*\//, with: "").replacing(/(?s)#*""".*?"""#*/, with: "\"\"")
      .replacing(/(?m)\/\/[^\n]*$/, with: "").replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"")
  }
}
