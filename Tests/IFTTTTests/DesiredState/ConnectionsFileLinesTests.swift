import JSON
import Testing

@testable import IFTTT

/// The lines of a file of connections that reports show.
@Suite struct ConnectionsFileLinesTests {
  private static let text = #"""
    {
      "$schema": "x", "version": 1,
      "connections": [
        {
          "name": "\"id\": \"bb\"",
          "id": "aa",
          "features": [
            {
              "title": "{",
              "fields": {
                "lamp": ["x",
                  "y"],
                "step.s\u0063ene": 1
              },
              "feature": "ft"
            },
            { "feature": "ft",
              "enabled": true,
              "fields": { "lamp": 2 } },
            { "feature": "ft.x", "fields":
              { "lamp": 3 } }
          ],
          "status": "enabled"
        },
        { "id": "bb",
          "status": null, "features": null }
      ]
    }
    """#

  private static func line(_ field: String?, of id: String = "aa", in text: String = text) -> Int {
    let difference = StateDifference(id: id, field: field, change: .changed, wanted: nil, present: nil)
    return ConnectionsFileLines(of: Array(text.utf8)).line(of: difference)
  }

  @Test(
    arguments: [
      (nil, 23), ("ft", 8), ("ft.lamp", 11), ("ft#1.lamp", 11), ("ft.step.scene", 13), ("ft#2", 18), ("ft#2.lamp", 19),
      ("ft.x.lamp", 21), ("ft.x", 20), ("ft.other", 8), ("ft#3.lamp", 4), ("other", 4),
    ] as [(String?, Int)])
  func aDifferenceIsAtItsLine(_ field: String?, _ line: Int) { #expect(Self.line(field) == line) }

  @Test func aConnectionIsAtItsEntry() {
    let lines = ConnectionsFileLines(of: Array(Self.text.utf8))
    #expect([lines.line(of: "aa"), lines.line(of: "bb"), lines.line(of: "cc")] == [4, 25, 1])
    #expect(Self.line(nil, of: "bb") == 26 && Self.line("ft.lamp", of: "bb") == 25)
    #expect(Self.line(nil, of: "cc") == 1)
  }

  /// Also with a byte order mark, in one line, and if the text is not a file of connections.
  @Test func anyTextIsRead() {
    let one = #"\u{feff}{"connections":[{"id":"aa","status":"enabled"}],"version":1}"#
    #expect(Self.line(nil, in: one.replacing(#"\u{feff}"#, with: "\u{feff}")) == 1)
    for text in [
      "", "[", "{", "null", #"{"connections":{"#, #"{"connections":[1,{"id":3}]}"#, #"{"connections":[{"id":"#,
    ] {
      #expect(Self.line("ft.lamp", in: text) == 1, "\(text)")
    }
  }
}
