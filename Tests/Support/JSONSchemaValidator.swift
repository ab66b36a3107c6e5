import Foundation

/// Checks documents against a JSON Schema with a validator that is not ours: Python's `jsonschema`.
package enum JSONSchemaValidator {
  package struct Missing: Error, CustomStringConvertible {
    package let description = "no python3 here has the module jsonschema (Debian: apt install python3-jsonschema)"
  }

  /// One line a problem, none where every document obeys. The schema itself is checked too (2020-12).
  package static func problems(of documents: [String], against schema: String) throws -> [String] {
    guard let python else { throw Missing() }
    let input = URL(fileURLWithPath: "/tmp/ifttt-schema-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: input) }
    try JSONEncoder().encode([schema] + documents).write(to: input)
    let output = try run(python, ["-c", script, input.path])
    return output.split(separator: "\n").map(String.init)
  }

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    texts = json.load(open(sys.argv[1], encoding="utf-8"))
    schema = json.loads(texts[0])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for number, text in enumerate(texts[1:]):
        for error in validator.iter_errors(json.loads(text)):
            print(number, error.json_path, error.message[:200].replace("\\n", " "))
    """

  private static let python = ["/usr/bin/python3", "python3"].first { name in
    (try? run(name, ["-c", "import jsonschema"])) != nil
  }

  /// Standard output, with standard error in the failure.
  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: words) }
    return text
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }
}
