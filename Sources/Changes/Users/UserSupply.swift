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
