import CommandLine
import IFTTT
import ProgramDriver
import Testing

@testable import ConnectionCommands

/// The conditions that `--for` accepts, and the facts that meet them.
@Suite struct WaitConditionTests {
  private func facts(
    _ status: UserStatus = .enabled, pending: Bool = false, name: String = "n", count: Int? = 12
  ) -> WaitCondition.Facts {
    WaitCondition.Facts(status: status, isPending: pending, name: name, enabledCount: count)
  }

  @Test(
    arguments: [
      ("status=enabled", true), ("status=disabled", false), ("status!=disabled", true), ("status!=enabled", false),
      ("pending=false", true), ("pending=true", false), ("pending!=true", true), ("name=n", true), ("name=", false),
      ("name!=a=b", true), ("enabled_count=12", true), ("enabled_count!=12", false), ("enabled_count>=12", true),
      ("enabled_count<=12", true), ("enabled_count>12", false), ("enabled_count<13", true), ("enabled_count>-5", true),
    ]) func evaluatesACondition(_ text: String, _ expected: Bool) throws
  {
    let condition = try WaitCondition(parsing: text)
    #expect(condition.holds(of: facts()) == expected)
    #expect(condition.description == text)
  }

  @Test(arguments: ["=", "!=", ">=", "<=", ">", "<"])
  func anUnknownCountMeetsNoCondition(_ sign: String) throws {
    #expect(try !WaitCondition(parsing: "enabled_count\(sign)12").holds(of: facts(count: nil)))
  }

  /// Each with the byte range of the error.
  @Test(
    arguments: [
      ("", nil), ("enabled", nil), ("state=enabled", 0..<5), ("=enabled", 0..<0), ("status!enabled", 6..<7),
      ("status=", 7..<7), ("status=on", 7..<9), ("status>enabled", 6..<7), ("pending=yes", 8..<11),
      ("enabled_count>=many", 15..<19), ("enabled_count=", 14..<14), ("status=enabled ", 7..<15),
    ] as [(String, Range<Int>?)]) func rejectsAnInvalidCondition(_ text: String, _ bytes: Range<Int>?)
  {
    #expect {
      try WaitCondition(parsing: text)
    } throws: { error in
      (error as? ValueError)?.bytes == bytes
    }
  }

  @Test func everySampleIsAValidCondition() throws {
    for sample in WaitCondition.samples { _ = try WaitCondition(parsing: sample) }
  }
}
