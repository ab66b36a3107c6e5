import Session
import Text
import World

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
