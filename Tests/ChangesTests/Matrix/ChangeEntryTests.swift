import CommandLine
import Foundation
import Testing

@testable import Commands
@testable import Session

/// The entries of the matrix are all commands that change subjects, with the options that they offer.
@Suite struct ChangeEntryTests {
  /// The commands whose dry run prints planned changes.
  private static let positions = CommandPosition(root: Root.tree.ownSchema).subtree.filter { position in
    guard let dryRun = Root.group.outputSchema(of: position.path)?.dryRun else { return false }
    return Set(dryRun().fields).isSuperset(of: ["before", "after", "requests"])
  }

  @Test func everyChangingCommandIsAnEntry() {
    let commands = Set(Self.positions.map { $0.path.joined(separator: " ") })
    #expect(commands == Set(ChangeEntry.all.map { $0.path.joined(separator: " ") }))
    #expect(commands == Set(ChangeEntry.offers.keys))
  }

  /// An option that a command gains must be added to the matrix.
  @Test func theOptionsOfEntriesAreThoseOfTheirCommands() {
    let relevant: Set = ["users", "force", "resume", "report", "provider", "plan"]
    for position in Self.positions {
      let name = position.path.joined(separator: " ")
      let offered = Set(position.command.options.map(\.name)).intersection(relevant)
      #expect(offered == ChangeEntry.offers[name], "\(name)")
      let entries = ChangeEntry.all.filter { $0.path == position.path }
      #expect(
        offered.contains("users") == entries.contains { $0.phase == .forward && $0.audience == .users }, "\(name)")
      #expect(offered.contains("resume") == entries.contains(where: \.isResumed), "\(name)")
      #expect(offered.contains("provider") == entries.contains { $0.phase == .forward && $0.audience == .plugin })
      #expect(offered.contains("plan") == entries.contains { $0.verb == .plan && $0.phase == .forward }, "\(name)")
    }
  }

  /// Prints the matrix if the variable `PRINT_CHANGE_MATRIX` is set.
  @Test func everyRuleIsShownForMostEntries() {
    for rule in ChangeRule.allCases {
      #expect(ChangeEntry.entries(for: rule).count >= 9, "rule \(rule.rawValue)")
    }
    if ProcessInfo.processInfo.environment["PRINT_CHANGE_MATRIX"] != nil { print(ChangeEntry.matrix) }
  }
}
