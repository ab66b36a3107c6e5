import Foundation
import Store
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct CompletionListTests {
  let home = TestHome()
  private let lines = Array("one\tLamps\ntwo\n".utf8)

  init() throws {
    let store = home.store()
    _ = try store.track(["one", "two"], profile: "default")
    try store.cache([connection("one", name: "Lamps")], profile: "default")
    home.clock.set(Timestamp(milliseconds: 4_000_000_000_000))
    try age()
  }

  /// Gives the content of all files a time in the past, so that the next change gives it another one.
  private func age() throws {
    for name in home.names() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: "\(home.path)/\(name)")
    }
  }

  private func list(profile: String? = nil) -> CompletionList? {
    CompletionList(in: AppDirectories(all: home.path), profile: profile, world: home.world)
  }

  private func save(profile: String? = nil) throws { try #require(list(profile: profile)).save(lines) }

  @Test func returnsWhatWasSaved() throws {
    #expect(list()?.read() == nil)
    try save()
    #expect(list()?.read() == lines)
    #expect(try home.mode(of: "completion.list") == 0o600)
  }

  @Test func belongsToOneProfile() throws {
    try save(profile: "work")
    #expect(list(profile: "work")?.read() == lines)
    #expect(list()?.read() == nil)
    #expect(list(profile: "wor")?.read() == nil)
    try save()
    #expect(list()?.read() == lines)
    #expect(list(profile: "work")?.read() == nil)
  }

  /// What can change the candidates.
  enum Change: CaseIterable, Sendable {
    case tracking, untracking, renaming, choosingAProfile, anotherProgram, aNewFile, aLog, itsPermissions

    func make(in home: TestHome) throws {
      switch self {
      case .tracking: _ = try home.store().track(["three"], profile: "default")
      case .untracking: _ = try home.store().untrack(["one"], profile: "default")
      case .renaming: try home.store().cache([connection("one", name: "Tides", at: 2000)], profile: "default")
      case .choosingAProfile:
        try home.store().save(token, as: .userToken, userID: "", profile: "work")
        try home.store().useProfile("work")
      case .anotherProgram: try home.database(.cache).execute("UPDATE connection SET name = 'Tides'")
      case .aNewFile:
        let (path, copy) = (home.cachePath, "\(home.path)/copy")
        try home.write(home.bytes("cache.db"), to: "copy")
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date ?? Date()
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: copy)
        #expect(rename(copy, path) == 0)
      case .aLog: try home.write([1], to: "ifttt.db-wal")
      case .itsPermissions: try home.setMode(0o644, of: "cache.db")
      }
    }
  }

  @Test(arguments: Change.allCases) func isIgnoredAfterAChange(_ change: Change) throws {
    try save()
    #expect(list()?.read() == lines)
    try change.make(in: home)
    #expect(list()?.read() == nil)
  }

  /// A list of the state before the change must not become that of the state after it.
  @Test(arguments: Change.allCases) func isIgnoredIfTheChangeCameBetweenReadingAndSaving(_ change: Change) throws {
    let early = try #require(list())
    try change.make(in: home)
    early.save(lines)
    #expect(list()?.read() == nil)
  }

  @Test func writingToTheCacheDeletesIt() throws {
    try save()
    _ = try home.store().untrack(["one"], profile: "default")
    #expect(!home.names().contains("completion.list"))
  }

  @Test func deletingTheCacheMakesItInvalid() throws {
    try save()
    try home.remove("cache.db")
    #expect(list() == nil)
  }

  /// The time of the last change of the databases, in milliseconds since 1970.
  private func lastChange() -> Int64 {
    [home.storePath, home.cachePath].flatMap { path -> [timespec] in
      var facts = stat()
      #expect(lstat(path, &facts) == 0)
      #if canImport(Glibc)
        return [facts.st_mtim, facts.st_ctim]
      #else
        return [facts.st_mtimespec, facts.st_ctimespec]
      #endif
    }.map { Int64($0.tv_sec) * 1000 + Int64($0.tv_nsec) / 1_000_000 }.max() ?? 0
  }

  /// The next change could get the same time.
  @Test(arguments: [(-1000, false), (0, false), (45, false), (60, true)])
  func isSavedSomeTimeAfterAChange(delay: Int64, isSaved: Bool) throws {
    home.clock.set(Timestamp(milliseconds: lastChange() + delay))
    try save()
    #expect((list()?.read() != nil) == isSaved)
  }

  /// Some file systems store only seconds. The time of a change cannot be set, that of the content can.
  @Test(arguments: [(1990, false), (2010, true)])
  func isSavedLaterIfTimesAreWholeSeconds(delay: Int64, isSaved: Bool) throws {
    let second = lastChange() / 1000 + 1
    for path in [home.storePath, home.cachePath] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(second))], ofItemAtPath: path)
    }
    home.clock.set(Timestamp(milliseconds: second * 1000 + delay))
    try save()
    #expect((list()?.read() != nil) == isSaved)
  }

  @Test func isNotUsedWhileALogHasData() throws {
    try save()
    for name in ["ifttt.db-wal", "cache.db-journal"] {
      try home.write([1], to: name)
      #expect(list() == nil)
      try home.write([], to: name)
      #expect(list()?.read() == lines)
    }
  }

  @Test func noCandidatesAreNotSaved() throws {
    try #require(list()).save([])
    #expect(!home.names().contains("completion.list"))
  }

  @Test func anIncompleteFileIsIgnored() throws {
    try save()
    let whole = home.bytes("completion.list")
    for count in 0..<whole.count {
      try home.write(Array(whole.prefix(count)), to: "completion.list")
      #expect(list()?.read() == nil, "\(count) bytes")
    }
    // After a power failure, the end of a file can be zeros.
    try home.write(whole.dropLast(4) + [0, 0, 0, 0], to: "completion.list")
    #expect(list()?.read() == nil)
    try home.write(whole, to: "completion.list")
    #expect(list()?.read() == lines)
  }

  @Test func aFileThatOthersCanAccessIsIgnoredAndReplaced() throws {
    try save()
    try home.setMode(0o644, of: "completion.list")
    #expect(list()?.read() == nil)
    try save()
    #expect(list()?.read() == lines)
    #expect(try home.mode(of: "completion.list") == 0o600)
  }

  @Test func aLinkIsNotFollowed() throws {
    try save()
    let path = "\(home.path)/completion.list"
    try FileManager.default.moveItem(atPath: path, toPath: "\(home.path)/elsewhere")
    let elsewhere = home.bytes("elsewhere")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(home.path)/elsewhere")
    #expect(list()?.read() == nil)
    try #require(list()).save(Array("three\n".utf8))
    #expect(list()?.read() == Array("three\n".utf8))
    #expect(home.bytes("elsewhere") == elsewhere)
  }

  @Test func aFolderInItsPlaceIsLeftAlone() throws {
    try FileManager.default.createDirectory(
      atPath: "\(home.path)/completion.list", withIntermediateDirectories: false)
    #expect(list()?.read() == nil)
    try save()
    #expect(list()?.read() == nil)
  }

  @Test func aFolderThatOthersCanAccessHasNone() throws {
    try save()
    try home.setMode(0o755)
    #expect(list() == nil)
  }
}
