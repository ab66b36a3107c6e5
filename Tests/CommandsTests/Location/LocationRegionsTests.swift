import Support
import Testing

/// What `location regions` lists.
@Suite struct LocationRegionsTests {
  /// Its events could not be told from the other's, so that it is said and not passed over.
  @Test func aTriggerInTwoConnectionsIsOneRegion() {
    let home = Walks.home()
    let other = Walks.connection.replacing(#""id":"gg""#, with: #""id":"hh""#)
      .replacing(#""id":"in""#, with: #""id":"other""#)
    home.run("connections add hh", answers: Server().answering(200, other))
    let run = home.run("location regions --fields id,connection -o tsv --no-header")
    #expect(run.lines == ["in\tgg", "out\tgg", "both\tgg", "other\thh"])
    #expect(
      run.errors.hasPrefix(
        """
        A region of connection hh, feature uf1, trigger out cannot be watched: its id stands for another one already, \
        which is kept.
        """))
  }
}
