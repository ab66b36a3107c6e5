import Testing
import World

@Suite struct AppDirectoriesTests {
  @Test func oneVariableSetsAllFolders() {
    #expect(AppDirectories(environment: ["IFTTT_HOME": "/here", "HOME": "/home/a"]) == AppDirectories(all: "/here"))
  }

  @Test(arguments: [
    (["HOME": "/h"], "/h/.config/ifttt", "/h/.local/share/ifttt"),
    (["HOME": "/h", "IFTTT_HOME": ""], "/h/.config/ifttt", "/h/.local/share/ifttt"),
    (["HOME": "/h", "XDG_CONFIG_HOME": "/c"], "/c/ifttt", "/h/.local/share/ifttt"),
    (["HOME": "/h", "XDG_DATA_HOME": "relative"], "/h/.config/ifttt", "/h/.local/share/ifttt"),
  ])
  func defaultsToTheXDGFolders(environment: [String: String], config: String, data: String) throws {
    let directories = try #require(AppDirectories(environment: Environment(environment)))
    #expect(directories.config == config)
    #expect(directories.data == data)
  }

  @Test(arguments: [[:], ["HOME": ""], ["XDG_CONFIG_HOME": "/c"]])
  func failsWithoutAnyFolderVariable(environment: [String: String]) {
    #expect(AppDirectories(environment: Environment(environment)) == nil)
  }
}
