import Location
import Testing

@Suite struct TrackErrorTests {
  @Test(arguments: [
    (TrackError(reason: "it is cut", line: 7, column: 3), "it is cut (line 7, column 3)"),
    (TrackError(reason: "it is cut", line: 7), "it is cut (line 7)"), (TrackError(reason: "it is cut"), "it is cut"),
  ])
  func descriptionsIncludeLineAndColumn(error: TrackError, expected: String) { #expect("\(error)" == expected) }
}
