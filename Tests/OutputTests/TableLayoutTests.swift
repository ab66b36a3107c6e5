import Output
import Testing

/// The distribution of a terminal's width, tested by the resulting lines.
@Suite struct TableLayoutTests {
  func line(_ cells: [String], keep: Set<Int> = [], width: Int) throws -> String {
    let names = ["a", "b", "c", "d"]
    let row = "{" + zip(names, cells).map { "\(quoted($0)):\(quoted($1))" }.joined(separator: ",") + "}"
    let columns = cells.indices.map {
      Column(names[$0], FieldPath(unchecked: names[$0]), overflow: keep.contains($0) ? .keep : .truncate)
    }
    return try rendered([row], columns: columns, Presentation(header: false, width: width))
  }

  /// Both ends identify a path.
  @Test(
    arguments: [
      (36, "feature.service.step.field  abcdefgh\n"), (35, "feature.serv…e.step.field  abcdefgh\n"),
      (24, "feature….field  abcdefgh\n"), (20, "feature….field  abc…\n"), (3, "fe…d  abc…\n"),
    ]) func pathIsShortenedInTheMiddle(width: Int, expected: String) throws
  {
    let row = #"{"a":"feature.service.step.field","b":"abcdefgh"}"#
    let columns = [Column("a", "a", overflow: .elide(least: 14)), Column("b", "b")]
    let printed = try rendered([row], columns: columns, Presentation(header: false, width: width))
    #expect(printed == expected)
    let wide = try rendered(
      [#"{"a":"日本語の通知日本語"}"#], columns: [Column("a", "a", overflow: .elide(least: 8))],
      Presentation(header: false, width: 8))
    #expect(wide == "日本…語\n", "no character is split")
  }

  @Test(
    arguments: [
      // The widest shrinks first, down to the next widest, then both.
      (["abcdefghij", "abcdef"], [], 18, "abcdefghij  abcdef\n"),
      (["abcdefghij", "abcdef"], [], 17, "abcdefgh…  abcdef\n"),
      (["abcdefghij", "abcdef"], [], 13, "abcd…  abcdef\n"), (["abcdefghij", "abcdef"], [], 12, "abcd…  abcd…\n"),
      // Ids are shortened only if nothing else is left to shorten. Below the minimum, the line is longer than the terminal.
      (["abcdefghij", "abcdef"], [0], 16, "abcdefghij  abc…\n"),
      (["abcdefghij", "abcdef"], [0], 12, "abcde…  abc…\n"),
      (["abcdefghij", "abcdef"], [0], 3, "abc…  abc…\n"),
      (["abc", "ab"], [], 2, "abc  ab\n"),
      // A wide character is not split, and the column it leaves free is filled.
      (["日本語の通知", "x"], [], 10, "日本語…  x\n"), (["日本語の通知", "x"], [], 11, "日本語…   x\n"),
      (["👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀", "x"], [], 8, "👩🏽‍🚀👩🏽‍🚀…  x\n"),
      (["e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", "x"], [], 7, "e\u{301}e\u{301}e\u{301}…  x\n"),
    ] as [([String], Set<Int>, Int, String)])
  func shortensWidestColumn(cells: [String], keep: Set<Int>, width: Int, expected: String) throws {
    #expect(try line(cells, keep: keep, width: width) == expected)
  }
}
