import JSON
import Testing

/// JSON formatted for people.
@Suite struct JSONIndentationTests {
  @Test func writesOneMemberPerLine() {
    let value: JSONValue = ["a": 1, "b": [], "c": [:], "d": [1, "x"], "e": [["f": nil], ["g"]]]
    let text = String(decoding: value.indented, as: UTF8.self)
    #expect(
      text == """
        {
          "a": 1,
          "b": [],
          "c": {},
          "d": [1,"x"],
          "e": [
            {
              "f": null
            },
            ["g"]
          ]
        }

        """)
  }
}
