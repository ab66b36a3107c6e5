import Store
import Testing
import Text

@Suite struct PluginCredentialTests {
  let home = TestHome()

  private func save(_ values: [(String, String)], removing names: [String] = [], of plugin: String = "shelf") throws {
    try StoredPluginCredentials(home.store(), of: plugin, profile: "default").change(
      saving: values.map { (name: $0.0, value: $0.1) }, removing: names)
  }

  private func read(_ name: String, of plugin: String = "shelf", profile: String = "default") throws -> String? {
    try StoredPluginCredentials(home.store(), of: plugin, profile: profile).value(name)
  }

  @Test(arguments: ["secret", "", "two\nlines\u{0}\u{1b}", "\"{}\\", "ü🗝️", String(repeating: "x", count: 256 << 10)])
  func valueRoundTrips(_ value: String) throws {
    try save([("a", value)])
    #expect(try read("a") == value)
  }

  @Test func credentialsAreSeparatePerPluginAndProfile() throws {
    try save([("a", "one")])
    #expect(try read("a", of: "other") == nil)
    #expect(try read("a", profile: "work") == nil)
    #expect(try read("b") == nil)
  }

  @Test func fileDoesNotContainTheValue() throws {
    try save([("a", "a-very-secret-value")])
    let bytes = home.bytes("ifttt.db") + home.bytes("ifttt.db-wal")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("a-very-secret"))
  }

  @Test func savesAndRemovesInOneTransaction() throws {
    try save([("a", "1"), ("b", "2")])
    try save([("c", "3"), ("a", "4")], removing: ["b", "a", "z"])
    #expect(try StoredPluginCredentials(home.store(), of: "shelf", profile: "default").names() == ["a", "c"])
    #expect(try read("a") == "4")
  }

  @Test func failedSaveWritesARecoveryFile() throws {
    try save([("account/a", "old")])
    let other = home.store()
    _ = try home.store().saving(.userToken, userID: "ann", profile: "default") {
      let error = failure {
        try StoredPluginCredentials(other, of: "shelf", profile: "default").change(
          saving: [(name: "account/a", value: "new")], removing: [], recovering: true)
      }
      #expect(error?.code == .locked)
      let name = try #require(home.names().first { $0.hasPrefix("recovered-shelf-") })
      #expect(error?.message.contains(name) == true)
      #expect(home.bytes(name) == Array("{\"account/a\":\"new\"}\n".utf8))
      #expect(try home.mode(of: name) == 0o600)
      return token
    }
    #expect(try read("account/a") == "old")
  }

  @Test func takingACredentialRemovesIt() throws {
    try save([("a", "once")])
    #expect(try StoredPluginCredentials(home.store(), of: "shelf", profile: "default").take("a") == "once")
    #expect(try StoredPluginCredentials(home.store(), of: "shelf", profile: "default").take("a") == nil)
    #expect(try read("a") == nil)
  }

  @Test func missingStoreIsNotCreated() throws {
    let store = home.store()
    #expect(try StoredPluginCredentials(store, of: "shelf", profile: "default").value("a") == nil)
    #expect(try StoredPluginCredentials(store, of: "shelf", profile: "default").take("a") == nil)
    #expect(try StoredPluginCredentials(store, of: "shelf", profile: "default").names() == [])
    #expect(
      try StoredPluginCredentials(store, of: "shelf", profile: "default").change(saving: [], removing: ["a"]) == 0)
    #expect(home.names() == [])
  }

  @Test func listOfCredentialsExcludesPlugins() throws {
    try save([("a", "1")])
    #expect(try home.store().credentials(profile: "default") == [])
  }

  @Test func removesAllCredentialsOfAPlugin() throws {
    try save([("a", "1"), ("b", "2")])
    try save([("a", "1")], of: "other")
    let plugin = PluginTrust(
      name: "shelf", version: "1", kind: "provider", sha256: "", files: "", origin: "", installedAt: home.clock.now())
    try PluginRecords(home.store()).complete(PluginChange(.removed, plugin, keepsCredentials: false))
    for name in ["a", "b"] { #expect(try read(name) == nil) }
    #expect(try read("a", of: "other") == "1")
    #expect(try PluginRecords(home.store()).withCredentials(profile: "default") == ["other"])
  }

  @Test func listsPluginsWithoutAKey() throws {
    try save([("a", "1"), ("b", "2")])
    try save([("a", "1")], of: "grab")
    let key = try #require(Secret(parsing: "key"))
    try home.store().save(key, as: .serviceKey, userID: "", profile: "default")
    #expect(try PluginRecords(home.store()).withCredentials(profile: "default") == ["grab", "shelf"])
    #expect(try PluginRecords(home.store()).withCredentials(profile: "work") == [])
  }

  @Test func rekeyIncludesPluginCredentials() throws {
    try save([("a", "two\nlines"), ("b", "")])
    #expect(try home.store().rekey(to: .ownFile).resealed == 2)
    #expect(try home.store().check().filter { !$0.passed } == [])
    #expect(try read("a") == "two\nlines")
    #expect(try read("b") == "")
  }

  @Test func credentialsAreRemovedWithTheirProfile() throws {
    try StoredPluginCredentials(home.store(), of: "shelf", profile: "work").change(
      saving: [(name: "a", value: "1")], removing: [])
    _ = try home.store().removeProfile("work")
    #expect(try read("a", profile: "work") == nil)
  }

  @Test func movedRowCannotBeDecrypted() throws {
    try save([("a", "1")])
    let database = try home.database()
    try database.run("UPDATE credential SET kind = 'plugin/other'")
    #expect(throws: StoreError.self) { try read("a", of: "other") }
  }
}
