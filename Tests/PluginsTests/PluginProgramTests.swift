import PluginProtocol
import Plugins
import Testing

@Suite struct PluginProgramTests {
  @Test(arguments: [
    ("accounts", true), ("account/ada", true), ("account/", true), ("account", false), ("accountsx", false),
    ("", false), ("other", false),
  ])
  func onlyGrantedCredentialsMayBeUsed(_ name: String, _ may: Bool) {
    let program = PluginProgram(
      name: .shelf, version: "1", path: "/x", folder: "/", capabilities: [],
      credentials: ["accounts", "account/*"], environment: [])
    #expect(program.mayUse(credential: name) == may)
  }

  @Test func aStarAloneMatchesEveryName() {
    let program = PluginProgram(
      name: .shelf, version: "1", path: "/x", folder: "/", capabilities: [], credentials: ["*"],
      environment: [])
    #expect(program.mayUse(credential: "anything"))
  }
}

extension PluginName {
  static var shelf: PluginName {
    guard let name = PluginName(parsing: "shelf") else { preconditionFailure("that is a name") }
    return name
  }
}
