import Foundation
import Store
import Testing
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Failures between the store and the system, with their error messages.
@Suite struct StoreFailureTests {
  let home = TestHome()

  /// A test double whose programs fail with a system error, or do something first.
  private final class OddProcesses: Processes {
    let id: Int32 = 1
    var answer: ([String]) throws(SystemError) -> ProcessResult
    init(_ answer: @escaping ([String]) throws(SystemError) -> ProcessResult) { self.answer = answer }
    func run(_ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter)
      throws(SystemError) -> ProcessResult
    {
      try answer(arguments)
    }
    func openBrowser(_ url: String, with command: String?) throws(SystemError) {}
    func startAgain(_ arguments: [String]) throws(SystemError) {}
  }

  @Test(arguments: [
    (ETIMEDOUT, "the secret service did not respond within 3 s"),
    (ENOENT, "secret-tool, which accesses the secret service, is not installed"),
    (E2BIG, "cannot run secret-tool"), (EINTR, "interrupted"),
  ])
  func reportsAFailingSecretService(_ number: Int32, _ words: String) throws {
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    home.processes = FakeSecretService()
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    home.processes = OddProcesses { words throws(SystemError) in throw SystemError(number: number, call: words[0]) }
    let error = failure { _ = try home.store().credential(.userToken, userID: "ann", profile: "default") }
    #expect(error?.message.hasPrefix(words) == true, "\(String(describing: error))")
    // For the first credential, an interrupt ends the command. Any other failure skips the keyring.
    let first = TestHome()
    first.environment = home.environment
    first.processes = home.processes
    let choosing = failure { try first.store().save(token, as: .userToken, userID: "", profile: "default") }
    #expect(choosing == (number == EINTR ? .interrupted : nil))
  }

  @Test(arguments: [(ETIMEDOUT, StoreError.Code.keyMissing), (EINTR, .interrupted), (E2BIG, .keyMissing)])
  func reportsAFailingKeyCommand(_ number: Int32, _ code: StoreError.Code) {
    home.environment["IFTTT_STORE_KEY_COMMAND"] = "[\"give\"]"
    home.processes = OddProcesses { words throws(SystemError) in throw SystemError(number: number, call: words[0]) }
    #expect(failure { try home.store().save(token, as: .userToken, userID: "", profile: "default") }?.code == code)
  }

  @Test func readerToleratesAConcurrentRekey() throws {
    let key = String(repeating: "0123456789abcdef", count: 4)
    try home.write(Array(key.utf8), to: "my.key")
    home.environment["IFTTT_STORE_KEY_COMMAND"] = "[\"cat\", \"\(home.path)/my.key\"]"
    home.processes = World.live().processes
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    let live = World.live().processes
    var hasRekeyed = false
    home.processes = OddProcesses { [home] words throws(SystemError) in
      guard !hasRekeyed else { return try live.run(words, input: [], limit: .seconds(5)) }
      hasRekeyed = true
      // While the reader waits for the old key, another process rekeys the store and removes the old key.
      #expect(failure { _ = try home.store().rekey(to: .ownFile) } == nil)
      return ProcessResult(status: 1, output: [])
    }
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
    #expect(hasRekeyed)
  }

  @Test func failedCommitKeepsBothKeys() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    let reader = try home.database()
    try reader.execute("PRAGMA journal_mode = DELETE; BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM credential") == 1)
    #expect(failure { _ = try home.store().rekey(to: .ownFile) }?.code == .locked)
    try reader.execute("COMMIT")
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
    #expect(home.names().contains("store.key"))
  }

  @Test func failureToRecordTheKeyLocationRemovesTheKey() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    try FileManager.default.createSymbolicLink(atPath: "\(home.path)/store-keys.json", withDestinationPath: "elsewhere")
    #expect(failure { _ = try home.store().rekey(to: .file("\(home.path)/my.key")) }?.code == .unsafePermissions)
    #expect(!home.names().contains("my.key"))
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
  }

  @Test func relativeKeyFileIsRecordedAsAPath() throws {
    let facts = try home.store().rekey(to: .file("my.key"))
    #expect(facts.keySource == "key file (\(home.path)/my.key)")
    #expect(home.names().contains("my.key"))
    #expect(
      failure { _ = try home.store().rekey(to: .passphrase) }?.hint.text == "Pass a file with --passphrase-file FILE.")
  }

  @Test func profileAndCredentialsAreSavedTogether() throws {
    let profile = Profile(name: "work", settings: [.userID: "u-1"])
    try home.store().save(profile, with: [.serviceKey: token, .userToken: secret("user-token")], uses: true)
    let store = home.store()
    #expect(try store.currentProfile() == "work")
    #expect(try store.credential(.userToken, userID: "u-1", profile: "work") == secret("user-token"))
    #expect(try store.credential(.serviceKey, userID: "", profile: "work") == token)
    try home.remove("store.key")
    let other = Profile(name: "other", settings: [.service: "lampost"])
    #expect(failure { try home.store().save(other, with: [.userToken: token], uses: true) }?.code == .keyMissing)
    #expect(try home.store().profiles().map(\.name) == ["work"])
    #expect(try home.store().currentProfile() == "work")
    try home.store().save(other, with: [:], uses: false)
  }

  @Test func missingFileCannotBeOpened() {
    let file = DatabaseFile(folder: "\(home.path)/none", schema: .store)
    #expect(failure { _ = try Database(path: file.path, as: file) }?.code == .unreadable)
  }

  @Test func exchangeLockReportsALockFailure() throws {
    let store = home.store()
    #expect(!store.exists)
    #expect(try store.withExchangeLock { 7 } == 7)
    struct Refused: Error {}
    #expect(throws: Refused.self) { try store.withExchangeLock { throw Refused() } }
    // Errors of the body are rethrown unchanged, even system errors.
    #expect(throws: SystemError.self) {
      try store.withExchangeLock { throw SystemError(number: ENOSPC, call: "write") }
    }
    try home.remove("exchange.lock")
    try FileManager.default.createSymbolicLink(atPath: "\(home.path)/exchange.lock", withDestinationPath: "elsewhere")
    #expect(failure { try store.withExchangeLock { _ = Issue.record("ran without the lock") } }?.code == .unreadable)
  }

  @Test func isAnyTrackedDetectsStaleConnections() throws {
    _ = try home.store().track(["a"], profile: "default")
    let now = home.clock.now()
    #expect(try home.store().isAnyTracked(fetchedBefore: now, profile: "default"))
    try home.store().cache([connection("a", at: now.milliseconds)], profile: "default")
    #expect(try !home.store().isAnyTracked(fetchedBefore: now, profile: "default"))
    home.clock.set(now - .seconds(60))
    #expect(try home.store().isAnyTracked(fetchedBefore: now - .seconds(120), profile: "default"))
    #expect(try !home.store().isAnyTracked(fetchedBefore: now, profile: "nobody"))
  }
}
