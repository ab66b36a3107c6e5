import Session
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The users of a file, one at a time: each once, and only those of the shard.
final class UserSource: UserSupply {
  enum Next {
    case user(UserEntry)
    /// The number of a bad line, and its error.
    case fault(line: Int, String)
    /// Nothing for now: until ``descriptor`` is readable, or for this time.
    case none(for: Duration?)
    case end
  }

  private let input: UserInput
  private let shard: Shard?
  private var reader: UsersReader
  private var repeated: RepeatedUsers
  private var found: ArraySlice<UsersReader.Element> = []
  private var hasEnded = false
  /// The number of entries of users that occurred before.
  private(set) var repetitions = 0
  /// Whether the file has text, but neither a user nor a bad line.
  var hasTextOnly: Bool { reader.hasContent && isWithoutUsers }
  private var isWithoutUsers = true

  /// - Parameters:
  ///   - path: `-` for stdin.
  ///   - readsTokens: whether each user needs an access token.
  init(_ path: String, readsTokens: Bool, shard: Shard?, in session: Session) throws {
    input = try UserInput(path, in: session)
    self.shard = shard
    reader = UsersReader(readsTokens: readsTokens)
    repeated = RepeatedUsers { () throws(SystemError) in
      try session.world.files.scratchFile(in: session.world.temporaryFolder)
    }
  }

  var descriptor: Int32 { input.descriptor }

  /// - Parameter waits: whether to wait until a user is available.
  func next(waits: Bool) throws -> Next {
    while true {
      while let element = found.popFirst() {
        isWithoutUsers = false
        switch element {
        case .fault(let line, let reason):
          // A bad line has no user. It is counted once, whatever the number of shards.
          if shard == nil || shard?.number == 1 { return .fault(line: line, reason) }
        case .user(let user):
          guard shard?.contains(user.userID) ?? true else { continue }
          if try UserSource.storing({ () throws(SystemError) in try repeated.insert(user.userID) }) {
            return .user(user)
          }
          repetitions += 1
        }
      }
      if hasEnded { return .end }
      found = []
      guard let bytes = try input.read(waits: waits) else {
        hasEnded = true
        try reader.end { found.append($0) }
        continue
      }
      if bytes.isEmpty, !waits { return .none(for: nil) }
      try reader.read(bytes) { found.append($0) }
      // Other work gets a turn between the pieces of a file of which little is used.
      if !waits, found.isEmpty { return .none(for: .zero) }
    }
  }

  private static func storing<Value>(_ body: () throws(SystemError) -> Value) throws -> Value {
    do throws(SystemError) { return try body() } catch {
      throw Problem(
        .outputFailed, "cannot write a temporary file", reason: error.description,
        hint: "Set TMPDIR to a folder with free space.")
    }
  }
}

extension UserSource {
  /// The problem of a bad line.
  static func problem(_ reason: String) -> Problem {
    Problem(.usage, reason, hint: "Correct the line in the file of --users, and run the command again.")
  }
}

/// The source of a run's users.
protocol UserSupply: AnyObject {
  /// Readable while users may be available; -1 if they always are.
  var descriptor: Int32 { get }
  /// The number of entries of users that occurred before.
  var repetitions: Int { get }
  /// Whether the input has text, but neither a user nor a bad line.
  var hasTextOnly: Bool { get }
  /// - Parameter waits: whether to wait until a user is available.
  func next(waits: Bool) throws -> UserSource.Next
}

/// Users that are known otherwise than from a file, such as those of an earlier run.
final class ListedUsers: UserSupply {
  let descriptor: Int32 = -1
  let repetitions = 0
  let hasTextOnly = false
  private let take: () throws -> UserEntry?

  init(_ take: @escaping () throws -> UserEntry?) { self.take = take }

  func next(waits: Bool) throws -> UserSource.Next { try take().map(UserSource.Next.user) ?? .end }
}

/// The bytes of a users file, or of stdin, as they become available.
enum UserInput {
  case file(any FileReader, path: String)
  case stdin(any Input)

  /// - Parameter path: `-` for stdin.
  init(_ path: String, in session: Session) throws {
    guard path != "-" else {
      try session.console.claimInput(for: "--users")
      self = .stdin(session.world.input)
      return
    }
    do throws(SystemError) { self = .file(try session.world.files.reader(path), path: path) } catch {
      throw UserInput.unreadable(path, error)
    }
  }

  /// Readable while bytes are available; -1 if they always are.
  var descriptor: Int32 {
    switch self {
    case .file(let reader, _): reader.descriptor
    case .stdin(let input): input.descriptor
    }
  }

  /// - Parameter waits: whether to wait for bytes if none are available.
  /// - Returns: the next bytes; empty if none are available yet, and nil at the end.
  func read(waits: Bool) throws -> [UInt8]? {
    switch self {
    case .file(let reader, let path):
      do throws(SystemError) { return try reader.read(waits: waits) } catch {
        throw error.number == EINTR ? Problem.interrupted : UserInput.unreadable(path, error)
      }
    case .stdin(let input):
      guard waits || input.isReadable else { return [] }
      let bytes = try input.readSome()
      return bytes.isEmpty ? nil : bytes
    }
  }

  private static func unreadable(_ path: String, _ error: SystemError) -> Problem {
    Problem(
      .refused, "cannot read '\(path)'", reason: error.description,
      hint: "Pass a readable file, or '-' for stdin.")
  }
}

/// Recognizes users that occur again, in memory that does not grow with their number: the first thousands are in memory,
/// and more than that in a temporary file.
struct RepeatedUsers {
  /// The maximum number of users in memory, which take about half a megabyte.
  static let mostInMemory = 16_384

  private let makeFile: () throws(SystemError) -> any ScratchFile
  private var first: Set<UserHash> = []
  private var table: UserTable?

  init(in makeFile: @escaping () throws(SystemError) -> any ScratchFile) { self.makeFile = makeFile }

  /// - Returns: whether the user is new.
  mutating func insert(_ userID: String) throws(SystemError) -> Bool {
    let user = UserHash(of: userID)
    if table == nil, first.count < Self.mostInMemory { return first.insert(user).inserted }
    var table: UserTable
    if let known = self.table { table = known } else { table = try spilled() }
    defer { self.table = table }
    return try table.insert(user)
  }

  /// A table with the users in memory.
  private mutating func spilled() throws(SystemError) -> UserTable {
    var table = try UserTable(slots: 4 * Self.mostInMemory, in: makeFile)
    for user in first { _ = try table.insert(user) }
    first = []
    return table
  }
}

/// 128 bits of the SHA-256 of a user's id. Two of a billion users have the same bits with a probability of 10⁻²¹.
struct UserHash: Hashable {
  /// In bytes.
  static let size = 16

  private let high: UInt64
  private let low: UInt64

  init(of userID: String) {
    let digest = SHA256.hash(Array(userID.utf8))
    func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    let first = word(digest.prefix(8))
    low = word(digest.dropFirst(8).prefix(8))
    // All zeros mark an empty slot in a file.
    high = first | low == 0 ? 1 : first
  }

  var bytes: [UInt8] {
    [high, low].flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }
}

/// A set of users in a temporary file, as a hash table.
struct UserTable {
  private static let size = UserHash.size
  /// The number of slots that are read at once.
  private static let span = 16

  private let makeFile: () throws(SystemError) -> any ScratchFile
  private var file: any ScratchFile
  /// A power of two.
  private var slots: Int
  private var count = 0

  /// - Parameter slots: the initial size of the table, a power of two.
  init(slots: Int, in makeFile: @escaping () throws(SystemError) -> any ScratchFile) throws(SystemError) {
    (self.makeFile, self.slots) = (makeFile, slots)
    file = try makeFile()
  }

  /// - Returns: whether the user is new.
  mutating func insert(_ user: UserHash) throws(SystemError) -> Bool {
    if count * 2 >= slots { try grow() }
    let key = user.bytes
    guard let slot = try emptySlot(for: key[...], in: file, slots) else { return false }
    try file.write(key, at: slot * Self.size)
    count += 1
    return true
  }

  /// The slot for a key; nil if the table contains the key.
  private func emptySlot(
    for key: ArraySlice<UInt8>, in file: any ScratchFile, _ slots: Int
  ) throws(SystemError) -> Int? {
    var slot = Int(truncatingIfNeeded: key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) & (slots - 1)
    while true {
      let number = min(Self.span, slots - slot)
      let bytes = try file.read(at: slot * Self.size, count: number * Self.size)
      for place in 0..<number {
        let found = bytes.dropFirst(place * Self.size).prefix(Self.size)
        // The end of the file is not written yet.
        if found.count < Self.size || found.allSatisfy({ $0 == 0 }) { return slot + place }
        if found.elementsEqual(key) { return nil }
      }
      slot = (slot + number) & (slots - 1)
    }
  }

  private mutating func grow() throws(SystemError) {
    let larger = try makeFile()
    var offset = 0
    while true {
      let bytes = try file.read(at: offset, count: 1 << 16)
      guard !bytes.isEmpty else { break }
      for start in stride(from: 0, to: bytes.count, by: Self.size) {
        let key = bytes[start..<start + Self.size]
        guard key.contains(where: { $0 != 0 }), let slot = try emptySlot(for: key, in: larger, slots * 2) else {
          continue
        }
        try larger.write(Array(key), at: slot * Self.size)
      }
      offset += bytes.count
    }
    (file, slots) = (larger, slots * 2)
  }
}
