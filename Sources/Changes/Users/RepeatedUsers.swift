import World

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
