import JSON
import Testing

/// The form for people.
@Suite struct JSONIndentationTests {
  @Test func aMemberALine() {
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
