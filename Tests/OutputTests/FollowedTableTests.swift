import Output
import Support
import Testing

/// Tables whose rows arrive over a long time.
@Suite struct FollowedTableTests {
  private static let rows = [
    #"{"check":"handshake","reason":null}"#, #"{"check":"a","reason":"it did not respond in time"}"#,
  ]

  private func columns(width: Int?) -> [Column] {
    var check = Column("check", "check", overflow: .keep)
    check.width = width
    return [check, Column("reason", "reason")]
  }

  /// What is written for each row, and at the end.
  private func writes(_ columns: [Column], _ presentation: Presentation) throws -> [String] {
    var written: [String] = [""]
    var presentation = presentation
    presentation.isFollowed = true
    let renderer = Renderer(presentation) { written[written.count - 1] += String(decoding: $0, as: UTF8.self) }
    try renderer.render(
      Rows(isReiterable: false) { body in
        for row in Self.rows {
          try Array(row.utf8).withUnsafeBytes(body)
          written.append("")
        }
      }, columns: columns)
    return written
  }

  @Test func eachRowIsWrittenAsItArrives() throws {
    #expect(
      try writes(columns(width: 10), Presentation()) == [
        "CHECK       REASON\nhandshake\n", "a           it did not respond in time\n", "",
      ])
  }

  @Test func theLastColumnIsShortenedOnATerminal() throws {
    #expect(
      try writes(columns(width: 10), Presentation(header: false, width: 24, isTerminal: true)) == [
        "handshake\n", "a           it did not …\n", "",
      ])
  }

  @Test func withoutKnownWidthsTheTableIsWrittenAtTheEnd() throws {
    #expect(
      try writes(columns(width: nil), Presentation()) == [
        "", "", "CHECK      REASON\nhandshake\na          it did not respond in time\n",
      ])
  }
}
