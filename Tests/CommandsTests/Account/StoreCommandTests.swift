import Foundation
import ProgramDriver
import Session
import Store
import Support
import Testing
import Text
import World

/// `store info` and `store check`, and the errors of all commands if the store cannot be used.
@Suite struct StoreCommandTests {
  @Test func infoWithoutAStoreCreatesNothing() {
    let home = Home()
    let info = home.run("store info --json --fields path,exists,key_source,profiles")
    #expect(
      info.output == #"{"path":"\#(home.folder["ifttt.db"])","exists":false,"key_source":"none yet","profiles":0}"#
        + "\n")
    #expect(home.folder.names == [])
    #expect(home.run("store check").exit == .success)
  }

  @Test func infoCountsTheContents() {
    let home = Home.tracking("aa", "bb")
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
  func anUnusableStoreIsReportedAndNotChanged(_ trouble: String, _ code: String) throws {
    let home = Home.tracking("aa")
    try UnusableStore.make(trouble, in: home)
    let before = home.folder.text("ifttt.db")
    for line in ["connections list", "connections show aa", "token list", "profile list", "token set"] {
      let json = home.run("\(line) --json")
      #expect(json.output == "")
      #expect(json.errors.hasPrefix(#"{"error":{"code":"\#(code)","message":""#), "\(line): \(json.errors)")
      #expect(!json.errors.contains(#""hint":null"#))
      #expect(json.exit == .store)
      let table = home.run(line)
      #expect(table.notes.count == 2, "the problem and the advice: \(table.errors)")
      #expect(table.exit == .store)
    }
    #expect(home.folder.text("ifttt.db") == before, "the store is not changed")
    for line in ["version", "help", "schema"] { #expect(home.run(line).exit == .success) }
  }

  @Test func aWrongKeyIsReported() {
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
    #expect(home.run("connections list").exit == .success, "commands without credentials work")
  }

  @Test func backupRestoreAndRekeyPreserveTheData() {
    let home = Home.tracking("aa", "bb")
    home.secrets = ["user-token-0123456789-abcdef"]
    home.run("token set --user-token-file -", input: .text("user-token-0123456789-abcdef"))
    let backup = home.folder["b.db"]
    #expect(home.run("store backup \(backup) --dry-run --exit-code").exit == .notYet)
    #expect(!home.folder.names.contains("b.db"))
    #expect(
      home.run("store backup \(backup) --json --fields tracked,credentials,key_path").output
        == #"{"tracked":2,"credentials":1,"key_path":null}"# + "\n")
    #expect(home.run("store backup \(backup)").exit == .failure)
    home.run("--offline connections add cc")
    #expect(home.run("store restore \(backup)").errors.hasSuffix("  Pass --yes.\n"))
    #expect(home.run("store restore \(backup) --dry-run").errors.contains("Would restore"))
    let restored = home.run("store restore \(backup) --yes --json --fields tracked,opened,finding")
    #expect(restored.output == #"{"tracked":2,"opened":1,"finding":null}"# + "\n")
    #expect(home.run("store rekey --dry-run").errors == "Would encrypt every credential with a new key.\n")
    #expect(home.run("store rekey --json --fields resealed").output == #"{"resealed":1}"# + "\n")
    #expect(home.run("token show --print", reveals: true).output == "user-token-0123456789-abcdef\n")
    let blind = home.run("store restore \(backup) --yes --force --json --fields opened")
    #expect(blind.output == #"{"opened":0}"# + "\n")
    #expect(
      blind.errors.hasPrefix(
        "Some credentials of the backup cannot be decrypted: the user_token of profile default is encrypted with key "))
    #expect(home.folder.names.filter { $0.hasPrefix("ifttt.db.before-restore-") }.count == 2)
  }

  /// Commands in a test write to the test's folder, never to the folder in which the tests were started.
  @Test func relativePathsResolveAgainstTheWorkingFolder() {
    let home = Home()
    home.secrets = ["user-token-0123456789-abcdef"]
    home.run("token set --user-token-file -", input: .text("user-token-0123456789-abcdef"))
    #expect(home.run("store backup copy.db --with-key copy.key").exit == .success)
    #expect(home.run("store rekey --key-file own.key").exit == .success)
    for name in ["copy.db", "copy.key", "own.key"] {
      #expect(home.folder.names.contains(name))
      #expect(!FileManager.default.fileExists(atPath: name))
    }
    #expect(home.run("store restore copy.db --key-file copy.key --yes").exit == .success)
    #expect(home.run("token show --print", reveals: true).output == "user-token-0123456789-abcdef\n")
  }

  @Test func anUnreadableBackupDoesNotReplaceAReadableStore() {
    let home = Home()
    home.secrets = ["user-token-0123456789-abcdef"]
    home.run("token set --user-token-file -", input: .text("user-token-0123456789-abcdef"))
    let backup = home.folder["b.db"]
    home.run("store backup \(backup)")
    home.run("store rekey")
    home.run("store rekey")
    for asked in ["", " --dry-run"] {
      let refused = home.run("store restore \(backup) --yes\(asked)")
      #expect(refused.exit == .failure)
      #expect(refused.notes.first == "ifttt: some credentials of the backup cannot be decrypted")
      #expect(refused.errors.contains("--key-file"))
    }
    #expect(home.run("token show --print", reveals: true).output == "user-token-0123456789-abcdef\n")
    #expect(home.run("store restore \(backup) --yes --force").exit == .success)
    #expect(home.run("token show").exit == .store)
  }

  @Test func withoutAStoreRestoreDoesNotPrompt() {
    let home = Home()
    let none = home.run("store backup \(home.folder["b.db"])")
    #expect(none.exit == .notFound)
    #expect(none.notes.first == "ifttt: there is no store to back up")
    home.run("profile create work")
    home.run("store backup \(home.folder["b.db"])")
    let other = Home()
    #expect(
      other.run("store restore \(home.folder["b.db"]) --json --fields kept,profiles").output
        == #"{"kept":null,"profiles":1}"# + "\n")
  }

  @Test(arguments: [
    ("store backup -", "'-' is not a file"), ("store restore ''", "it is empty"),
    ("store backup b.db --with-key -", "'-'"),
    ("store rekey --key-file a --passphrase", "select only one source for the new key"),
    ("store rekey --key-command", "needs a program to run"),
    ("store rekey pass show", "arguments are accepted only with --key-command"),
  ])
  func rejectsInvalidArguments(_ line: String, _ words: String) {
    let refused = Home().run(line)
    #expect(refused.exit == .usage)
    #expect(refused.errors.contains(words), "\(refused.errors)")
  }

  @Test func aPassphraseIsPromptedForTwice() {
    let home = Home()
    home.secrets = ["user-token-0123456789-abcdef", "correct horse"]
    home.run("token set --user-token-file -", input: .text("user-token-0123456789-abcdef"))
    #expect(home.run("store rekey --passphrase").errors.contains("--passphrase-file"))
    home.terminal = .interactive()
    let differ = home.run("store rekey --passphrase", input: .typed(secrets: ["correct horse", "correct house"]))
    #expect(differ.errors.contains("the two passphrases differ"))
    #expect(differ.exit == .store)
    let gone = home.run("store rekey --passphrase", input: .interrupted)
    #expect(gone.exit == .interrupted)
    let chosen = home.run("store rekey --passphrase -q", input: .typed(secrets: ["correct horse", "correct horse"]))
    #expect(chosen.exit == .success)
    #expect(chosen.errors == "new store passphrase: \nnew store passphrase (again): \n")
    let shown = home.run("token show --print", input: .typed(secrets: ["correct horse"]), reveals: true)
    #expect(shown.output == "user-token-0123456789-abcdef\n")
    #expect(shown.errors == "store passphrase: \n")
  }

  @Test func everyStoreErrorHasItsCodeAndHint() {
    let codes: [StoreError.Code] = [
      .locked, .damaged, .foreign, .newer, .unreadable, .unsafePermissions, .full, .readOnly, .wrongKey, .keyMissing,
      .failed,
    ]
    for code in codes {
      let error: any Error = StoreError(code: code, message: "what", hint: "do")
      let problem = Problem.from(error)
      #expect(problem.code.rawValue == code.rawValue)
      #expect(problem.code.exit == .store)
      #expect(problem.hint?.text == "do")
    }
  }

  @Test func withoutAnyFolderTheErrorNamesTheVariable() {
    let home = Home()
    home.environment["IFTTT_HOME"] = ""
    let lost = home.run("connections list")
    #expect(
      lost.errors == """
        ifttt: cannot determine the folder for the program's files
          neither HOME nor IFTTT_HOME is set
          Set IFTTT_HOME to a folder that you can write to.

        """)
    #expect(lost.exit == .store)
  }
}
