package import Session
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The users of a file, one at a time, without repeated users and users of other shards.
final class UserSource: UserSupply {
  enum Next {
    case user(UserEntry)
    /// The number of a bad line, and its error.
    case badLine(line: Int, String)
    /// No user is available yet. Call again after this time; if it is nil, when ``descriptor`` is readable.
    case none(for: Duration?)
    case end
  }

  private let input: UserInput
  /// The shard of the session.
  private let shard: Shard?
  private var reader: UsersReader
  private var seen = SeenUsers()
  private var elements: ArraySlice<UsersReader.Element> = []
  private var hasEnded = false
  /// The number of skipped entries, each of which repeats an earlier user.
  private(set) var repetitions = 0
  /// Whether the file has text, but neither a user nor a bad line.
  var hasTextOnly: Bool { reader.hasContent && !hasElements }
  private var hasElements = false

  /// - Parameters:
  ///   - path: `-` for stdin.
  ///   - readsTokens: whether each user needs an access token.
  init(_ path: String, readsTokens: Bool, in session: Session) throws {
    input = try UserInput(path, in: session)
    shard = session.shard
    reader = UsersReader(readsTokens: readsTokens)
  }

  var descriptor: Int32 { input.descriptor }

  /// Returns the next user or bad line.
  /// - Parameter waits: whether to wait until a user is available.
  func next(waits: Bool) throws -> Next {
    while true {
      while let element = elements.popFirst() {
        hasElements = true
        switch element {
        case .badLine(let line, let reason):
          // A bad line has no user, so it belongs to no shard. Only the first shard reports it.
          if shard == nil || shard?.number == 1 { return .badLine(line: line, reason) }
        case .user(let user):
          guard shard?.contains(user.userID) ?? true else { continue }
          if seen.insert(user.userID) { return .user(user) }
          repetitions += 1
        }
      }
      if hasEnded { return .end }
      elements = []
      guard let bytes = try input.read(waits: waits) else {
        hasEnded = true
        try reader.end { elements.append($0) }
        continue
      }
      if bytes.isEmpty, !waits { return .none(for: nil) }
      try reader.read(bytes) { elements.append($0) }
      // If a large file has few users of this shard, return between its pieces so that other work is not delayed.
      if !waits, elements.isEmpty { return .none(for: .zero) }
    }
  }
}

extension UserSource {
  /// The problem of a bad line.
  static func problem(_ reason: String) -> Problem {
    Problem(.usage, reason, hint: "Correct the line in the --users file, and run the command again.")
  }
}

/// The source of a run's users.
protocol UserSupply: AnyObject {
  /// A descriptor that is readable while users may be available; -1 if they always are.
  var descriptor: Int32 { get }
  /// The number of skipped entries, each of which repeats an earlier user.
  var repetitions: Int { get }
  /// Whether the input has text, but neither a user nor a bad line.
  var hasTextOnly: Bool { get }
  /// Returns the next user or bad line.
  /// - Parameter waits: whether to wait until a user is available.
  func next(waits: Bool) throws -> UserSource.Next
}

/// Users that do not come from a file, for example from the journal of an earlier run.
final class ListedUsers: UserSupply {
  let descriptor: Int32 = -1
  let repetitions = 0
  let hasTextOnly = false
  private let nextUser: () throws -> UserEntry?

  init(_ nextUser: @escaping () throws -> UserEntry?) { self.nextUser = nextUser }

  func next(waits: Bool) throws -> UserSource.Next { try nextUser().map(UserSource.Next.user) ?? .end }
}

extension UsersOptions {
  /// Returns the number of different users in the file; nil for stdin, which cannot be read twice.
  package func count(in session: Session) throws -> Int? {
    guard let file, file != "-" else { return nil }
    let source = try UserSource(file, readsTokens: false, in: session)
    var count = 0
    while true {
      switch try source.next(waits: true) {
      case .user: count += 1
      case .badLine, .none: break
      case .end: return count
      }
    }
  }
}

/// The bytes of a users file, or of stdin, as they become available.
enum UserInput {
  case file(FileReader, path: String)
  case stdin(any Input)

  /// - Parameter path: `-` for stdin.
  init(_ path: String, in session: Session) throws {
    guard path != "-" else {
      try session.console.reserveInput(for: "--users")
      self = .stdin(session.world.input)
      return
    }
    do throws(SystemError) { self = .file(try session.world.files.reader(path), path: path) } catch {
      throw Problem.unreadable(path, error)
    }
  }

  /// A descriptor that is readable while bytes are available; -1 if they always are.
  var descriptor: Int32 {
    switch self {
    case .file(let reader, _): reader.descriptor
    case .stdin(let input): input.descriptor
    }
  }

  /// Reads the next bytes.
  /// - Parameter waits: whether to wait for bytes if none are available.
  /// - Returns: the bytes; empty if none are available yet, and nil at the end.
  func read(waits: Bool) throws -> [UInt8]? {
    switch self {
    case .file(let reader, let path):
      do throws(SystemError) { return try reader.read(waits: waits) } catch {
        throw error.number == EINTR ? Problem.interrupted : Problem.unreadable(path, error)
      }
    case .stdin(let input):
      guard waits || input.isReadable else { return [] }
      let bytes = try input.readSome()
      return bytes.isEmpty ? nil : bytes
    }
  }
}

/// The users that occurred before, in a form that takes little memory.
struct SeenUsers {
  /// Each hash is in the set of its first bits. A set that grows is copied, and one for all users would be half of the
  /// memory of a run over a million.
  private var sets = [Set<UserHash>](repeating: [], count: 64)

  /// Adds a user.
  /// - Returns: whether the user is new.
  mutating func insert(_ userID: String) -> Bool {
    let hash = UserHash(of: userID)
    return sets[Int(hash.high >> 58)].insert(hash).inserted
  }
}

/// Two hashes of a user's id, which take less memory than most ids. Each process has another seed, so ids with equal
/// hashes cannot be chosen. The probability that any two of a billion users have equal hashes is 10⁻²¹.
private struct UserHash: Hashable {
  let high, low: UInt64

  init(of userID: String) {
    func hash(_ number: UInt8) -> UInt64 {
      var hasher = Hasher()
      hasher.combine(number)
      // Swift's strings are equal if their characters are equivalent, and ids only if their bytes are the same.
      var bytes = userID
      bytes.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }
    (high, low) = (hash(0), hash(1))
  }
}
