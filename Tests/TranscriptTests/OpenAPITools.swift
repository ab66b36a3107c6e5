import Foundation
import Support

/// The Python packages for OpenAPI documents, in a build folder that `script/bootstrap test` fills.
enum OpenAPITools {
  static let python = Tool(path: Checkout.path(".build/openapi/bin/python"))
  static let requirement = "skipped: needs the Python packages of script/bootstrap test"

  /// Run a script of the folder `OpenAPI` on a document.
  static func run(_ script: String, on document: String, _ arguments: String...) throws -> Tool.Outcome {
    guard let python else { throw Missing() }
    let folder = try ScratchFolder()
    let file = try folder.write(document, to: "openapi.json")
    return try python.run(
      [Checkout.path("Tests/TranscriptTests/OpenAPI/\(script)"), file.path] + arguments, in: folder)
  }

  struct Missing: Error, CustomStringConvertible { let description = requirement }
}
