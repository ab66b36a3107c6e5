import GrabID
import Testing

@Suite struct GrabEnvironmentTests {
  @Test func theirBasesDiffer() {
    #expect(Set(GrabEnvironment.allCases.map(\.base)).count == GrabEnvironment.allCases.count)
  }
}
