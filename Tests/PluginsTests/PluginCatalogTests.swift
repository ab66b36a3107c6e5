import PluginProtocol
import Plugins
import Support
import Synchronization
import Testing
import World

/// Which plugins are found, and which plugin a name refers to.
@Suite struct PluginCatalogTests {
  let home = PluginFolder()

  @Test func aMissingFolderHasNoPlugins() {
    #expect(home.catalog().all() == [])
    #expect(home.catalog().plugin(named: "shelf") == nil)
  }

  @Test func findsPluginsByNameAndSorted() throws {
    try home.add("tides")
    try home.add("shelf")
    let catalog = home.catalog()
    #expect(catalog.found().map(\.name) == ["shelf", "tides"])
    #expect(try catalog.plugin(named: "shelf")?.manifest.get().version == "1.2.0")
    #expect(catalog.plugin(named: "shelf")?.executable == home.folder["plugins/shelf/run"])
    #expect(catalog.plugin(named: "../plugins/shelf") == nil)
    #expect(catalog.plugin(named: "shel") == nil)
  }

  @Test func builtInCommandsTakePrecedence() throws {
    try home.add("connections")
    let catalog = home.catalog()
    #expect(catalog.plugin(named: "connections") == nil)
    #expect(catalog.found() == [])
    #expect(catalog.all().map(\.shadow) == ["'ifttt connections' is a command of the program itself"])
  }

  /// Building the names of the program's commands takes longer than reading a plugin's manifest.
  @Test func theProgramsCommandsAreNamedOnceForAllPlugins() throws {
    let calls = Mutex(0)
    let rules = ReservedNames(
      commands: {
        calls.withLock { $0 += 1 }
        return ["plugin-3"]
      }, options: { [] })
    let folders = PluginFolders(installed: home.folder["plugins"], bundled: home.folder["libexec"])
    let catalog = PluginCatalog(files: home.files, folders: folders, rules: rules)
    #expect(catalog.outlines(withShadowed: false).isEmpty && calls.withLock { $0 } == 0)
    for number in 0..<5 { try home.add("plugin-\(number)") }
    #expect(catalog.outlines(withShadowed: false).map(\.name) == ["plugin-0", "plugin-1", "plugin-2", "plugin-4"])
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func bundledPluginsTakePrecedenceOverInstalledOnes() throws {
    try home.add("grab")
    try home.add("grab", in: "libexec")
    let catalog = home.catalog()
    #expect(catalog.plugin(named: "grab")?.isBundled == true)
    #expect(catalog.found().map(\.isBundled) == [true])
    #expect(
      catalog.all().first { !$0.isBundled }?.shadow == "a plugin with this name is included with the program")
  }

  @Test func listsBrokenPlugins() throws {
    try home.add("odd", manifest: "{")
    try home.add("alias", manifest: PluginFolder.manifest.replacing("NAME", with: "other"))
    try home.add(
      "greedy", manifest: PluginFolder.manifest.replacing("}", with: #","environment":["IFTTT_SERVICE_KEY"]}"#))
    try home.add(".new-1234")
    home.folder.write("plugins/stray", "a file")
    let all = home.catalog().all()
    #expect(all.map(\.name) == ["alias", "greedy", "odd"])
    let reasons = all.map { plugin -> String in
      if case .failure(let error) = plugin.manifest { error.description } else { "" }
    }
    #expect(reasons[0] == "its manifest names it 'other', but its folder is 'alias'")
    #expect(reasons[1] == "'environment' lists IFTTT_SERVICE_KEY, which is hidden from plugins")
    #expect(reasons[2].hasPrefix("it is not JSON: "))
  }

  @Test func theManifestMustBeARegularFile() throws {
    let path = try home.add("shelf")
    try home.files.remove(path + "/plugin.json")
    #expect(throws: ManifestError.self) { try home.catalog().plugin(named: "shelf")?.manifest.get() }
    try home.files.makeFolder(path + "/plugin.json")
    #expect(throws: ManifestError("plugin.json is not a regular file")) {
      try home.catalog().plugin(named: "shelf")?.manifest.get()
    }
  }

  @Test func outlinesOmitShadowedPlugins() throws {
    try home.add("tides")
    try home.add("connections")
    try home.add("grab")
    try home.add("grab", in: "libexec", manifest: PluginFolder.manifest.replacing("Things", with: "Ours"))
    try home.add("alias", manifest: PluginFolder.manifest.replacing("NAME", with: "other"))
    try home.add("odd", manifest: "{")
    home.folder.write("plugins/stray", "a file")
    let outlines = home.catalog().outlines(withShadowed: false)
    #expect(outlines.map(\.name) == ["alias", "grab", "odd", "tides"])
    #expect(outlines.map(\.outline?.summary) == [nil, "Ours", nil, "Things"])
    #expect(home.catalog().outlines(withShadowed: true).count == 6)
  }
}
