import Store
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder with a backup that a fuzzer changes, and the home of a store that it may replace.
final class BackupFixture {
  /// The plugin that the present store trusts.
  static let trusted = "shelf"
  private static let original = OriginalBackup()

  private let folder = FuzzFolder("backup")
  private var bytes = original.backup

  init() {
    folder.empty()
    folder.write(bytes, to: "changed.db")
    folder.makeFolder("home")
  }

  var backup: String { folder["changed.db"] }
  var secondBackup: String { folder["second.db"] }
  var names: [String] { folder.names(in: "home") }

  func store() -> Store { OriginalBackup.store(in: folder["home"]) }

  /// The names and bytes of the home's files, apart from what SQLite keeps beside a database.
  var state: [String: [UInt8]] {
    var state: [String: [UInt8]] = [:]
    for name in names where !name.hasSuffix("-wal") && !name.hasSuffix("-shm") {
      state[name] = folder.bytes("home/\(name)")
    }
    return state
  }

  func writeStore() {
    folder.write(Self.original.present, to: "home/ifttt.db")
    folder.write(Self.original.presentKey, to: "home/store.key")
  }

  /// Writes a key file: none, the right one, or any text.
  func writeKey(_ choices: inout InputChoices) -> String? {
    switch choices.number(below: 3) {
    case 0: return nil
    case 1: folder.write(Self.original.key, to: "key")
    default: folder.write(choices.piece(), to: "key")
    }
    return folder["key"]
  }

  /// Whether a file contains a key: 64 hexadecimal digits and white space around them.
  func isKey(_ path: String) -> Bool {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d]
    let lines = (folder.bytes("key") ?? []).split { spaces.contains($0) }
    let digits = Set("0123456789abcdefABCDEF".utf8)
    return lines.count == 1 && lines[0].count == 64 && lines[0].allSatisfy(digits.contains)
  }

  /// Makes one change.
  func change(_ choices: inout InputChoices) {
    switch choices.number(below: 8) {
    case 0: overwrite(from: choices.number(below: 100), with: choices.piece())
    case 1:
      let offset = (Int(choices.byte()) << 8 | Int(choices.byte())) * max(1, bytes.count >> 16)
      overwrite(from: offset, with: choices.piece())
    case 2: bytes.removeLast(min(bytes.count, Int(choices.byte()) * 512))
    case 3: bytes += choices.piece()
    case 4: folder.write(choices.piece(), to: "changed.db-wal")
    case 5: folder.write(choices.piece(), to: "changed.db-journal")
    case 6: bytes = choices.piece()
    default: return run(HostileStatement.list[choices.number(below: HostileStatement.list.count)], &choices)
    }
    folder.write(bytes, to: "changed.db")
  }

  private func overwrite(from start: Int, with piece: [UInt8]) {
    for (offset, byte) in piece.enumerated() where start + offset < bytes.count { bytes[start + offset] = byte }
  }

  /// Runs SQL as a program that writes a hostile file would. The numbers and texts in it come from the input.
  private func run(_ statement: HostileStatement, _ choices: inout InputChoices) {
    let number = Int32(bitPattern: (0..<4).reduce(UInt32(0)) { sum, _ in sum << 8 | UInt32(choices.byte()) })
    let text = choices.text().filter { $0 != "'" && $0 != "\0" }
    let file = DatabaseFile(folder: folder.path, schema: .store)
    if let database = try? Database(path: backup, as: file) {
      for line in statement.sql(Int(number), text) { try? database.execute(line) }
    }
    bytes = folder.bytes("changed.db") ?? []
  }
}

/// A valid backup with its key, and the store of another machine.
private struct OriginalBackup {
  let backup: [UInt8]
  let key: [UInt8]
  let present: [UInt8]
  let presentKey: [UInt8]

  init() {
    let folder = FuzzFolder("original")
    do {
      let store = Self.store(in: folder["old"])
      folder.makeFolder("old")
      if let secret = Secret(parsing: "token-of-a-backup-0123456789") {
        try store.save(secret, as: .userToken, userID: "ann", profile: "default")
      }
      try store.save(Profile(name: "work", settings: [.userID: "u-1"]))
      _ = try store.track(["a", "b"], profile: "default")
      try store.markPending("b", profile: "default")
      _ = try UsageQueue(store).switchOn()
      _ = try store.backUp(to: folder["backup.db"], replacing: false, keyPath: folder["backup.key"])
      // Small pages, so that small inputs reach many of them.
      let file = DatabaseFile(folder: folder.path, schema: .store)
      try Database(path: folder["backup.db"], as: file).execute("PRAGMA page_size = 512; VACUUM")
      folder.makeFolder("present")
      let other = Self.store(in: folder["present"])
      if let secret = Secret(parsing: "token-of-this-machine-012345") {
        try other.save(secret, as: .userToken, userID: "bob", profile: "default")
      }
      let plugin = PluginTrust(
        name: BackupFixture.trusted, version: "1", kind: "provider", sha256: "", files: "", origin: "/tmp",
        installedAt: Timestamp(milliseconds: 0))
      try PluginRecords(other).complete(PluginChange(.installedAlone, plugin, keepsCredentials: true))
      _ = try other.backUp(to: folder["present.db"], replacing: false)
    } catch { fatalError("the original backup cannot be made: \(error)") }
    backup = folder.bytes("backup.db") ?? []
    key = folder.bytes("backup.key") ?? []
    present = folder.bytes("present.db") ?? []
    presentKey = folder.bytes("present/store.key") ?? []
  }

  static func store(in folder: String) -> Store {
    var world = World.fixed
    world.random = LiveRandom()
    return Store(directories: AppDirectories(all: folder), world: world, busyTimeout: .milliseconds(1))
  }
}
