import Foundation

/// An independent validator for JSON Schemas, Python's `jsonschema`.
package enum JSONSchemaValidator {
  package struct Missing: Error, CustomStringConvertible {
    package let description = "no python3 here has the module jsonschema (Debian: apt install python3-jsonschema)"
  }

  /// A schema, and documents that must conform to it.
  package struct Case: Sendable, Encodable {
    package let schema: String
    package let documents: [String]
    package init(schema: String, documents: [String]) { (self.schema, self.documents) = (schema, documents) }
  }

  /// The problems, one per line, each starting with the document's number; empty if all documents conform. The schema
  /// itself is also validated (2020-12).
  package static func problems(of documents: [String], against schema: String) throws -> [String] {
    try problems(in: [Case(schema: schema, documents: documents)]).map { String($0.dropFirst("0 ".count)) }
  }

  /// The problems for several schemas. Starting Python takes longer than the checks, so one process checks them all.
  /// Each line starts with the numbers of the case and the document.
  package static func problems(in cases: [Case]) throws -> [String] {
    guard let python else { throw Missing() }
    let folder = try ScratchFolder()
    try folder.write(String(decoding: JSONEncoder().encode(cases), as: UTF8.self), to: "cases")
    let outcome = try python.run(["-c", script, "cases"], in: folder)
    guard outcome.status == 0 else { throw Failure(description: outcome.errors) }
    return outcome.output.split(separator: "\n").map(String.init)
  }

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    for index, case in enumerate(json.load(open(sys.argv[1], encoding="utf-8"))):
        schema = json.loads(case["schema"])
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        for number, text in enumerate(case["documents"]):
            for error in validator.iter_errors(json.loads(text)):
                print(index, number, error.json_path, error.message[:200].replace("\\n", " "))
    """

  /// The system's Python, or the one on PATH.
  private static let python = [Tool(path: "/usr/bin/python3"), Tool("python3")].compactMap { $0 }.first { tool in
    guard let folder = try? ScratchFolder() else { return false }
    return (try? tool.run(["-c", "import jsonschema"], in: folder))?.status == 0
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }
}
