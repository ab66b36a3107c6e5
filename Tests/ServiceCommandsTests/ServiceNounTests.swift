import ProgramDriver
import Testing

@Suite struct ServiceNounTests {
  @Test func aServerNeedsNoProfile() {}
}
