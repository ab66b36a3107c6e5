import Foundation
import Support

/// The Python packages for OpenAPI documents, in a build folder that `script/bootstrap test` fills.
enum OpenAPITools {
  static let python = Tool(path: Checkout.path(".build/openapi/bin/python"))
  static let requirement = "skipped: needs the Python packages of script/bootstrap test"

  /// The folder in which Schemathesis keeps tables that take long to compute, such as those of all characters.
  private static let tables = TemporaryFolder()

  /// Run a script of the folder `OpenAPI` on a document.
  static func run(_ script: String, on document: String, _ arguments: String...) throws -> Tool.Outcome {
    let folder = try ScratchFolder()
    return try run(script, [folder.write(document, to: "openapi.json").path] + arguments, in: folder)
  }

  /// Run `validate.py` on documents, each in a file with its name.
  static func validate(_ documents: [String: String]) throws -> Tool.Outcome {
    let folder = try ScratchFolder()
    let files = try documents.map { name, document in try folder.write(document, to: "\(name).json").path }
    return try run("validate.py", files, in: folder)
  }

  private static func run(_ script: String, _ words: [String], in folder: ScratchFolder) throws -> Tool.Outcome {
    guard let python else { throw Missing() }
    return try python.run(
      [Checkout.path("Tests/TranscriptTests/OpenAPI/\(script)")] + words, in: folder,
      environment: ["HYPOTHESIS_STORAGE_DIRECTORY": tables.path])
  }

  struct Missing: Error, CustomStringConvertible { let description = requirement }
}
