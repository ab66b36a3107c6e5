import CommandLine
import Session
import Testing
import Text
import World

@testable import Commands

/// The variables of the program's own options and of its base URLs agree with the registry.
@Suite struct TreeVariableTests {
  @Test func theVariablesOfOptionsAreInRecordings() throws {
    func names(_ command: CommandSchema) -> [String] {
      command.options.compactMap(\.environment) + command.subcommands.flatMap(names)
    }
    let own = Set(names(Root.tree.ownSchema))
    let others = BaseURL.allCases.map(\.variable) + CredentialName.allCases.map(\.variable) + [.allowHTTP]
    #expect(own.contains("IFTTT_PROFILE") && own.contains("IFTTT_INVITE_CODE"))
    #expect(own.union(others.map(\.name)) == Set(EnvironmentVariable.inherited(by: .recording).map(\.name)))
  }

  @Test func theMeaningOfABaseURLNamesItsDefault() {
    for base in BaseURL.allCases { #expect(base.variable.meaning.hasSuffix(" \(base.standard).")) }
  }
}
