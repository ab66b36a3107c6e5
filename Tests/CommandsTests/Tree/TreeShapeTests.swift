import CommandLine
import JSON
import Output
import ProgramDriver
import Testing

@testable import Commands
@testable import Session

/// The one rule for the shape of JSON: a command that accepts several ids prints an array, even for one; a command
/// with exactly one subject prints an object.
@Suite struct TreeShapeTests {
  private static let positions = CommandPosition(root: Root.tree.ownSchema).subtree.filter {
    $0.isRunnable && !$0.isRoot && Root.group.outputSchema(of: $0.path) != nil
  }

  /// The commands whose result is a list of the parts of one subject, or a count for several subjects. Their help
  /// says so.
  private static let outside: [String: String] = [
    "configure": "prints an array with one object per field", "location reset": "prints one object",
    "connections options": "", "connections diff": "", "connections apply": "", "connections query": "",
    "location replay": "",
    "plugin test": "",
    "service test": "", "service call": "", "report merge": "prints their sum in the same format",
    // Their arguments belong to a command that prints a key, a header or a credential.
    "store rekey": "", "plugin index add": "", "profile create": "", "profile set": "",
  ]

  private func types(_ path: [String]) throws -> Set<String> {
    let document = try #require(SchemaDocument.all.first { $0.name == path.joined(separator: "-") }).schema()
    func types(_ schema: JSONValue) -> [String] {
      if let name = schema["$ref"]?.string?.split(separator: "/").last,
        let definition = document["$defs"]?[String(name)]
      {
        return types(definition)
      }
      if let alternatives = schema["oneOf"]?.array ?? schema["anyOf"]?.array { return alternatives.flatMap(types) }
      return schema["type"]?.string.map { [$0] } ?? []
    }
    return Set(types(document))
  }

  /// Connections, Applets and events have schemas of their own, which might lack the field of a column.
  @Test(arguments: positions.map(\.path)) func everyColumnIsAField(path: [String]) throws {
    let shape = try #require(Root.group.outputSchema(of: path))
    try shape.check(shape.columns.map(\.path))
    #expect(!shape.columns.isEmpty || [["connections", "query"], ["service", "call"]].contains(path))
  }

  @Test(arguments: positions.map(\.path)) func schemasFollowTheRule(path: [String]) throws {
    let name = path.joined(separator: " ")
    let position = try #require(Self.positions.first { $0.path == path })
    let types = try types(path)
    if name == "connections show" {
      #expect(types == ["array", "object"])
      return #expect(position.command.discussion.contains { $0.contains("one id prints an object") })
    }
    if let words = Self.outside[name] {
      return #expect(words.isEmpty || position.command.discussion.contains { $0.contains(words) }, "\(name)")
    }
    let subjects = position.command.arguments
    if subjects.contains(where: \.isRepeatable) {
      #expect(types == ["array"], "\(name) accepts several and prints \(types)")
    } else if subjects.contains(where: \.isRequired) {
      #expect(types == ["object"], "\(name) has one subject and prints \(types)")
    } else {
      #expect(types == ["array"] || types == ["object"], "\(name) prints \(types)")
    }
  }

  @Test func oneIDPrintsAnArray() {
    let home = SandboxHome()
    for line in [
      "connections wait Kd7Rn2Qx --for status=enabled", "connections disable Kd7Rn2Qx", "connections enable Kd7Rn2Qx",
      "connections remove Kd7Rn2Qx", "connections add Kd7Rn2Qx", "location on Kd7Rn2Qx", "applets fetch mB3xWq7T",
      "applets disable mB3xWq7T", "applets enable mB3xWq7T", "location regions Kd7Rn2Qx",
    ] {
      let run = home.run(line + " --json")
      #expect(run.code == .success && run.output.hasPrefix("["), "\(line): \(run.errors)")
    }
    #expect(home.run("connections show Kd7Rn2Qx --json").output.hasPrefix("{"))
    #expect(home.run("connections show Kd7Rn2Qx Fq3Lw8Zt --json").output.hasPrefix("["))
  }

  @Test func tablesStillShowOneResultAsACard() {
    let home = SandboxHome()
    let card = home.run("connections show Kd7Rn2Qx")
    #expect(home.run("connections wait Kd7Rn2Qx --for status=enabled").output.contains("tidebook"))
    #expect(card.code == .success)
  }
}
