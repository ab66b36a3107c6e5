import Foundation
import JSON
import Output
import Support
import Testing

@Suite struct YAMLTests {
  @Test func objectsAndListsAreBlocks() throws {
    let row =
      #"{"id":"a","name":"Lamps: on","on":true,"n":null,"list":[1,"x",[2,[]],{"k":"v","m":{}}],"o":{"p":"yes"}}"#
    let text = """
      id: a
      name: "Lamps: on"
      "on": true
      "n": null
      list:
        - 1
        - x
        - - 2
          - []
        - k: v
          m: {}
      o:
        p: "yes"

      """
    #expect(try rendered([row], shape: .single, Presentation(format: .yaml)) == text)
    let item = "- " + text.dropLast().replacing("\n", with: "\n  ") + "\n"
    #expect(try rendered([row, row], Presentation(format: .yaml)) == item + item)
    #expect(try rendered([], Presentation(format: .yaml)) == "[]\n")
    #expect(
      try rendered([row], Presentation(format: .yaml, fields: ["id", "o.p"])) == "- id: a\n  o.p: \"yes\"\n")
  }

  @Test func everythingThatATerminalInterpretsIsEscaped() throws {
    let row = #"{"a":"\u001b[31m\u009b\#u{202e}\#u{e0041}\#u{ffff}"}"#
    #expect(
      try rendered([row], shape: .single, Presentation(format: .yaml))
        == #"a: "\u001b[31m\u009b\u202e\U000e0041\uffff""# + "\n")
  }

  /// Values that readers of YAML take for something else without quotes, and random ones.
  private static var values: [JSONValue] {
    let words = [
      "", " a", "a ", "-", "- a", "? a", "a: b", "a #b", "#", "~", "null", "Null", "yes", "No", "ON", "y", "1", "1.5",
      "1e5",
      "e3", "0x1f", "0o17", "1_000", "1:30", "2020-01-01", ".5", ".inf", ".nan", "=", "<<", "!!str", "&a", "*a", "@a",
      "`a",
      "%a", "[a]", "{a}", "a,b", "'a'", "\"a\"", "|", ">", "---", "...", "a\nb", "\n", "\t", "a\u{85}b", "a\u{feff}",
      "\u{fffe}",
      "true", "False", "_", "a.b/c@d+e(f)", "Inf", "NaN",
    ]
    let numbers = ["0", "-0", "1.5", "1e5", "1E-7", "1234567890123456789", "-1.25e+3"]
      .map { JSONValue.number(JSONNumber(unchecked: $0)) }
    var generator = SeededGenerator(seed: 9)
    return words.map { .string($0) } + numbers + (0..<300).map { _ in .object(generator.object()) }
  }

  @Test(
    arguments: [
      (
        "python3", ["-c", "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin.buffer), sys.stdout)"],
        "import yaml"
      ),
      ("ruby", ["-ryaml", "-rjson", "-e", "puts JSON.generate(YAML.load(STDIN.read))"], ""),
    ])
  func readersSeeTheSameValues(_ program: String, _ words: [String], _ module: String) throws {
    if !module.isEmpty, try Tool(program)?.run(["-c", module], in: ScratchFolder()).status != 0 {
      return print("skipped: needs python3-yaml")
    }
    let rows = Self.values.map { JSONValue.object(["v": $0]).text }
    let yaml = try rendered(rows, Presentation(format: .yaml))
    guard let answer = try run(program, words, input: yaml) else { return }
    let read = try #require(JSONSerialization.jsonObject(with: answer) as? [NSDictionary])
    #expect(read.count == rows.count)
    for (row, found) in zip(rows, read) {
      let expected = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? NSDictionary
      #expect(found == expected, "\(row)")
    }
  }
}

@Suite struct EnvironmentPrinterTests {
  @Test func oneObjectIsAssignments() throws {
    let row =
      #"{"id":"a","name":"it's on","n":null,"services":[{"name":"x"}],"o":{"p":true},"text":"1\n::error::2 \u001b"}"#
    let presentation = Presentation(format: .env, fields: ["id", "name", "n", "services.name", "o.p", "text"])
    let lines = try rendered([row], shape: .single, presentation)
    #expect(lines.hasPrefix("id=a\nname='it'\\''s on'\nn=\nservices_name='[\"x\"]'\no_p=true\ntext="))
    #expect(!lines.contains("\u{1b}") && !lines.contains("\n::"))
  }

  @Test func aListIsCounted() throws {
    let presentation = Presentation(format: .env, fields: ["id"])
    #expect(try rendered([#"{"id":"a"}"#, #"{"id":"b"}"#], presentation) == "id_1=a\nid_2=b\ncount=2\n")
    #expect(try rendered([], presentation) == "count=0\n")
  }

  /// The values that a shell sets are those of the object, whatever they contain.
  @Test(arguments: ["sh", "bash", "zsh"]) func aShellSetsTheSameValues(_ shell: String) throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<40 {
      // A shell drops line feeds at the end of a command's output.
      let text = generator.text(upTo: 6) + "."
      let lines = try rendered(
        [JSONValue.object(["value": .string(text)]).text], shape: .single, Presentation(format: .env, fields: ["value"])
      )
      guard let answer = try run(shell, ["-c", "eval \"$(cat)\"; printf %s \"$value\""], input: lines) else { return }
      #expect(String(decoding: answer, as: UTF8.self) == text, "\(lines)")
    }
  }
}
