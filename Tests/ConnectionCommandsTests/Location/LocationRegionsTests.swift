import ProgramDriver
import Support
import Testing

/// The output of `location regions`.
@Suite struct LocationRegionsTests {
  @Test func tablesRoundTheRadius() {
    let home = Home()
    let text = GeofenceTracks.connection.replacing(#""radius":"100""#, with: #""radius":349.2418372528667"#)
    home.environment = ["IFTTT_USER_TOKEN": "a-token-of-the-tests-0123456789"]
    home.run("connections add gg", answers: Server().answering(200, text))
    let table = home.run("location regions --fields id,radius --no-header")
    #expect(table.lines.contains("out   349.2"), "\(table.output)")
    #expect(home.run("location regions --json --fields radius").output.contains("349.2418372528667"))
  }

  /// Events of the two could not be told apart, so the duplicate is noted and not skipped silently.
  @Test func aTriggerInTwoConnectionsIsListedOnce() {
    let home = GeofenceTracks.home()
    let other = GeofenceTracks.connection.replacing(#""id":"gg""#, with: #""id":"hh""#)
      .replacing(#""id":"in""#, with: #""id":"other""#)
    home.run("connections add hh", answers: Server().answering(200, other))
    let run = home.run("location regions --fields id,connection -o tsv --no-header")
    #expect(run.lines == ["in\tgg", "out\tgg", "both\tgg", "other\thh"])
    #expect(
      run.errors.hasPrefix(
        """
        Cannot monitor a region of connection hh, feature uf1, trigger out: another region already has its id.
        """))
  }
}
