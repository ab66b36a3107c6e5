import Foundation
import JSON
import Output
import Support
import Testing

@Suite struct DelimitedTests {
  @Test func csvHasPathTitlesAndJSONCells() throws {
    #expect(
      try rendered(
        [connection("a", "x, \"y\"", services: ["Weather", "Maps"])], columns: connectionColumns,
        Presentation(format: .csv)) == """
          id,name,status,services.name,enabled_count
          a,"x, ""y""\",enabled,"[""Weather"",""Maps""]",12

          """)
    #expect(try rendered([], columns: connectionColumns, Presentation(format: .csv, header: false)) == "")
    #expect(try rendered([], Presentation(format: .csv, fields: ["id", "a.b"])) == "id,a.b\n")
  }

  @Test func nullIsEmptyAndEmptyTextIsQuoted() throws {
    let rows = [#"{"a":null,"b":""}"#, #"{"b":false}"#]
    #expect(try rendered(rows, Presentation(format: .csv, fields: ["a", "b"])) == "a,b\n,\"\"\n,false\n")
    #expect(try rendered(rows, Presentation(format: .csv, fields: ["a"], header: false)) == "\"\"\n\"\"\n")
    #expect(try rendered(rows, Presentation(format: .tsv, fields: ["a", "b"])) == "a\tb\n\t\n\tfalse\n")
  }

  /// GitHub Actions would run a line that begins with two colons as a command.
  @Test(arguments: ["::error::x", "a::b", "::", "\n::x", ",", "\r"]) func aCellThatCouldBeACommandIsQuoted(text: String)
    throws
  {
    let row = JSONValue.object(["a": .string(text)]).text
    let csv = try rendered([row], Presentation(format: .csv, fields: ["a"], header: false))
    #expect(csv == "\"\(text)\"\n")
  }

  @Test(arguments: ["a:b:c", ":", "12:00", "x"]) func otherCellsAreNotQuoted(text: String) throws {
    let row = JSONValue.object(["a": .string(text)]).text
    #expect(try rendered([row], Presentation(format: .csv, fields: ["a"], header: false)) == "\(text)\n")
  }

  @Test func tsvHasOneLinePerRow() throws {
    let row = #"{"a":"1\t2\n3\r4\\n","b":{"x":"\\"}}"#
    #expect(
      try rendered([row], Presentation(format: .tsv, fields: ["a", "b"])) == #"""
        a	b
        1\t2\n3\r4\\n	{"x":"\\\\"}

        """#)
  }

  @Test(arguments: [Format.csv, .tsv]) func terminalOutputHasNoControlCharacters(format: Format) throws {
    let row = #"{"a":"\u001b[31m\u009b","b":["\#u{202e}"]}"#
    let text = try rendered([row], Presentation(format: format, fields: ["a", "b"], isTerminal: true))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !TerminalText.isHazard($0) })
    let piped = try rendered([row], Presentation(format: format, fields: ["a"], header: false))
    #expect(piped == "\u{1b}[31m\u{9b}\n")
  }

  /// Rows with awkward texts, and the expected contents of their cells.
  func awkward() -> (rows: [String], cells: [[String]]) {
    var generator = SeededGenerator(seed: 5)
    var (rows, cells): ([String], [[String]]) = ([], [])
    for _ in 0..<300 {
      let (first, second, list) = (generator.text(), generator.text(), generator.value())
      rows.append(JSONValue.object(["a": .string(first), "b": .string(second), "c": list]).text)
      cells.append([first, second, list.string ?? (list.isNull ? "" : list.text)])
    }
    return (rows, cells)
  }

  @Test func pythonParsesSameCSV() throws {
    let (rows, cells) = awkward()
    let csv = try rendered(rows, Presentation(format: .csv, fields: ["a", "b", "c"], header: false))
    let script = """
      import csv, json, sys
      sys.stdin.reconfigure(encoding="utf-8", newline="")
      print(json.dumps(list(csv.reader(sys.stdin, strict=True))))
      """
    guard let answer = try run("python3", ["-c", script], input: csv) else { return }
    #expect(try JSONDecoder().decode([[String]].self, from: answer) == cells)
  }

  @Test func tsvCanBeParsedAgain() throws {
    let (rows, cells) = awkward()
    let tsv = try rendered(rows, Presentation(format: .tsv, fields: ["a", "b", "c"], header: false))
    let lines = tsv.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == rows.count)
    for (line, expected) in zip(lines, cells) {
      let read = line.split(separator: "\t", omittingEmptySubsequences: false).map { cell in
        var text = String.UnicodeScalarView()
        var scalars = cell.makeIterator()
        while let scalar = scalars.next() {
          guard scalar == "\\", let letter = scalars.next() else {
            text.append(scalar)
            continue
          }
          text.append(["t": "\t", "n": "\n", "r": "\r"][letter] ?? letter)
        }
        return String(text)
      }
      #expect(read.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }
  }

  @Test func jqParsesSameJSON() throws {
    let (rows, cells) = awkward()
    for presentation in [Presentation(format: .json), Presentation(format: .json, isTerminal: true)] {
      let json = try rendered(rows, presentation)
      guard let answer = try run("jq", ["-c", "map(.a)"], input: json) else { return }
      #expect(try JSONDecoder().decode([String].self, from: answer) == cells.map { $0[0] })
    }
  }
}
