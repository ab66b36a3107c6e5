import Foundation
import Support
import Testing
import World

/// The names of environment variables are spelled in one place. A variable that is spelled elsewhere is missing from
/// help, masking, and the lists of what other programs see.
@Suite struct VariableNameTests {
  /// Names that are also headings and placeholders, and a variable that only a created plugin reads.
  private static let otherUses: Set = ["PATH", "USER", "SHELL", "LANGUAGE", "BROWSER"]
  private static let ofCreatedPlugins: Set = ["IFTTT_PACKAGE"]

  private static func sources() throws -> [SwiftSource] {
    let owners = ["World/System/EnvironmentVariable.swift", "World/System/VariableRecipients.swift"]
    return try SwiftSource.shared.get().filter { !owners.contains($0.path) }
  }

  @Test func noLiteralIsTheNameOfAVariable() throws {
    let names = Set(EnvironmentVariable.allCases.map(\.name)).subtracting(Self.otherUses)
    for source in try Self.sources() {
      let found = source.literals.filter { names.contains($0) || $0.wholeMatch(of: /IFTTT_[A-Z_]*/) != nil }
      #expect(found == [], "\(source.path)")
    }
  }

  /// The same for lookups with a name that is data.
  @Test func noLiteralIsLookedUp() throws {
    for source in try Self.sources() {
      #expect(!source.code.contains("[named: \""), "\(source.path)")
      #expect(!source.code.contains("getenv(") || source.path == "World/System/Environment.swift", "\(source.path)")
    }
  }

  /// Also in messages, comments and templates.
  @Test func everyMentionedVariableIsKnown() throws {
    for source in try Self.sources() {
      let names = Set(source.text.matches(of: /\bIFTTT_[A-Z_]+/).map { String($0.output) })
      let unknown = names.subtracting(EnvironmentVariable.allCases.map(\.name)).subtracting(Self.ofCreatedPlugins)
      #expect(unknown == [], "\(source.path)")
    }
  }

  @Test func literalsAreFound() {
    let source = SwiftSource.literals(
      of: #"""
        let a = ["https://x", "\"B\""] // "no"
        let c = """
          "no"
          """ + "D"
        """#)
    #expect(source == ["https://x", #"\"B\""#, "D"])
  }
}
