import Commands
import Store
import Support
import Testing
import World

/// `store info` and `store check`, and what every command says of a store that cannot be used.
@Suite struct StoreCommandTests {
  @Test func infoOfNothingMakesNothing() {
    let home = Home()
    let info = home.run("store info --json --fields path,exists,key_source,profiles")
    #expect(
      info.output == #"{"path":"\#(home.folder["ifttt.db"])","exists":false,"key_source":"none yet","profiles":0}"#
        + "\n")
    #expect(home.folder.names == [])
    #expect(home.run("store check").exit == .success)
  }

  @Test func infoCounts() {
    let home = ConnectionsListTests.home(tracking: "aa", "bb")
    home.run("token set")
    let info = home.run("store info --json --fields exists,tracked,cached,credentials,key_source")
    #expect(
      info.output
        == #"{"exists":true,"tracked":2,"cached":2,"credentials":1,"key_source":"key file (\#(home.folder["store.key"]))"}"#
        + "\n")
    let check = home.run("store check -o csv --no-header --fields check,passed")
    #expect(check.lines == ["permissions,true", "store,true", "cache,true", "credentials,true"])
    #expect(check.exit == .success)
  }

  @Test(arguments: [
    ("foreign", "store_foreign"), ("newer", "store_newer"), ("open to others", "store_permissions"),
    ("damaged", "store_damaged"),
  ])
  func aStoreThatCannotBeUsed(_ trouble: String, _ code: String) throws {
    let home = ConnectionsListTests.home(tracking: "aa")
    try StoreTrouble.make(trouble, in: home)
    let before = home.folder.text("ifttt.db")
    for line in ["connections list", "connections show aa", "token list", "profile list", "token set"] {
      let json = home.run("\(line) --json")
      #expect(json.output == "")
      #expect(json.errors.hasPrefix(#"{"error":{"code":"\#(code)","message":""#), "\(line): \(json.errors)")
      #expect(!json.errors.contains(#""hint":null"#))
      #expect(json.exit == .store)
      let table = home.run(line)
      #expect(table.notes.count == 2, "what and what to do: \(table.errors)")
      #expect(table.exit == .store)
    }
    #expect(home.folder.text("ifttt.db") == before, "nothing is touched")
    for line in ["version", "help", "schema"] { #expect(home.run(line).exit == .success) }
  }

  @Test func aKeyThatIsGoneOrAnother() {
    let home = Home()
    home.secrets = ["user-token-0123456789-abcdef"]
    home.run("token set --user-token-file -", input: .text("user-token-0123456789-abcdef"))
    home.folder.write("store.key", "not a key\n")
    let unreadable = home.run("token show")
    #expect(unreadable.exit == .store)
    #expect(unreadable.notes.count == 2)
    let check = home.run("store check -o csv --no-header --fields check,passed")
    #expect(check.lines.last == "credentials,false")
    #expect(check.exit == .store)
    #expect(home.run("token list").exit == .store)
    #expect(home.run("connections list").exit == .success, "what needs no key works")
  }

  @Test func everyErrorOfTheStoreHasItsCodeAndHint() {
    let codes: [StoreError.Code] = [
      .locked, .damaged, .foreign, .newer, .unreadable, .unsafePermissions, .full, .readOnly, .wrongKey, .keyMissing,
      .failed,
    ]
    for code in codes {
      let error: any Error = StoreError(code: code, message: "what", hint: "do")
      let problem = Problem(error)
      #expect(problem.code.rawValue == code.rawValue)
      #expect(problem.code.exit == .store)
      #expect(problem.hint == "do")
    }
  }

  @Test func withoutAnyFolderTheVariableIsNamed() {
    let home = Home()
    home.environment["IFTTT_HOME"] = ""
    let lost = home.run("connections list")
    #expect(
      lost.errors == """
        ifttt: there is no folder to keep anything in
          neither HOME nor IFTTT_HOME is set
          Set IFTTT_HOME to a folder of yours.

        """)
    #expect(lost.exit == .store)
  }
}
