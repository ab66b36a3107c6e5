import Plugins
import Support
import Testing
import World

/// What a glance tells is what reading tells.
@Suite struct ManifestGlanceTests {
  private func look(_ text: String) -> ManifestGlance? { ManifestGlance(Array(text.utf8)) }

  @Test func ofAProvider() throws {
    let glance = try #require(
      look(
        #"""
        {"name": "grab", "commands": {"kind": "other", "credentials": []}, "kind": "provider",
         "credentials": ["account/*"], "capabilities": ["connections/list", "command/run"]}
        """#))
    #expect(glance.kind == "provider")
    #expect(glance.needsCredentials)
    #expect(glance.capabilities == ["connections/list", "command/run"])
  }

  @Test func ofLittle() throws {
    let nothing = try #require(look("{}"))
    #expect(nothing.kind == "" && !nothing.needsCredentials && nothing.capabilities.isEmpty)
    #expect(look(#"{"credentials": []}"#)?.needsCredentials == false)
    #expect(look(#"{"credentials": null, "kind": 7}"#)?.kind == "")
  }

  @Test(arguments: ["", "[]", "{", #"{"kind": "#, "7"]) func ofNothing(text: String) { #expect(look(text) == nil) }

  @Test func ofAFolder() throws {
    let home = PluginFolder()
    let path = try home.add("shelf")
    #expect(ManifestGlance(inFolder: path, home.files)?.kind == "command")
    #expect(ManifestGlance(inFolder: home.folder["none"], home.files) == nil)
  }
}
