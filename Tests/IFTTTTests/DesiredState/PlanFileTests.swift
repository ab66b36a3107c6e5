@testable import IFTTT
import JSON
import Testing

/// Plans as files.
@Suite struct PlanFileTests {
  private func connection(_ status: String) throws -> Connection {
    let text = #"{"id":"aa","name":"Lamps","user_status":"\#(status)","features":[]}"#
    let object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
    return try #require(Connection(reading: object))
  }

  private func plan(_ wanted: UserStatus, _ present: String) throws -> ConnectionPlan {
    let present = try connection(present)
    let desired = DesiredConnection(id: present.id, status: wanted, path: "connections[0]")
    return ConnectionPlan(.entry(desired), of: "aa", SubjectState(present, isPending: false))
  }

  private func error(_ text: String) -> DocumentError? {
    do throws(DocumentError) {
      _ = try PlanFile(parsing: Array(text.utf8))
      return nil
    } catch { return error }
  }

  @Test func aPlanIsReadAsItWasWritten() throws {
    let disabling = try plan(.disabled, "enabled")
    let file = PlanFile(
      allowsRemoval: true, entries: [disabling, try plan(.enabled, "enabled")].compactMap(PlanFile.Entry.init))
    #expect(file.entries.count == 1, "what changes nothing is not in a plan")
    let read = try PlanFile(parsing: file.json.indented)
    #expect(read.json == file.json && read.allowsRemoval)
    #expect(read.entries[0].isSame(as: disabling))
    #expect(try !read.entries[0].isSame(as: plan(.disabled, "never_enabled")), "the present state differs")
    #expect(try !read.entries[0].isSame(as: plan(.enabled, "enabled")), "the change differs")
  }

  @Test(arguments: [
    ("[]", "", "it is not a JSON object"),
    (#"{"version":1,"connections":[]}"#, "allow_removal", "it is missing"),
    (#"{"version":1,"allow_removal":"no","connections":[]}"#, "allow_removal", "it is neither true nor false"),
    (#"{"version":2,"allow_removal":true}"#, "version", "it is not 1, the only version that this program reads"),
    (#"{"version":1,"allow_removal":true}"#, "connections", "it is missing"),
    (#"{"version":1,"allow_removal":true,"connections":[{}]}"#, "connections[0].wanted", "it is missing"),
    (
      #"{"version":1,"allow_removal":true,"connections":[{"wanted":{"id":"a"},"present":{"status":"on"}}]}"#,
      "connections[0].present", "it is not the state of a connection"
    ),
    (
      #"{"version":1,"allow_removal":true,"connections":[{"wanted":{"id":"a","x":1},"present":{"status":"enabled"}}]}"#,
      "connections[0].wanted.x", "the key is not one of id, name, status, pending, features"
    ),
  ])
  func aWrongPlanIsRejectedWithItsPath(_ text: String, _ path: String, _ message: String) {
    #expect(error(text) == DocumentError(path, message))
  }

  @Test func aConnectionIsPlannedOnce() {
    let entry = #"{"wanted":{"id":"a"},"present":{"status":"enabled","configuration":null},"changes":[]}"#
    #expect(
      error(#"{"version":1,"allow_removal":true,"connections":[\#(entry),\#(entry)]}"#)
        == DocumentError("connections[1].wanted.id", "connections[0].wanted has the same id"))
  }
}
