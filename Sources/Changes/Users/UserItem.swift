package import HTTP
package import Session

/// One thing to do for a user: a chain of requests with one result.
package struct UserItem {
  /// Its name among the user's items, such as a connection's id; nil if each user has only one item.
  package let name: String?
  /// Returns the chain, which calls `report` once before it ends. After ``HTTPError/skipped(_:)`` it reports that
  /// problem.
  package let chain: (_ report: @escaping (UserResult) throws -> Void) throws -> RequestChain

  package init(
    _ name: String? = nil, chain: @escaping (_ report: @escaping (UserResult) throws -> Void) throws -> RequestChain
  ) {
    (self.name, self.chain) = (name, chain)
  }

  /// An item that fails without a request.
  package static func failed(_ problem: Problem, name: String? = nil) -> UserItem {
    UserItem(name) { report in
      try report(.failed(problem))
      return .end
    }
  }
}

/// The result of one item.
package struct UserResult {
  package let rows: [[UInt8]]
  package let problem: Problem?

  package static func done(_ rows: [[UInt8]]) -> UserResult { UserResult(rows: rows, problem: nil) }
  /// - Parameter rows: rows that describe the failure.
  package static func failed(_ problem: Problem, rows: [[UInt8]] = []) -> UserResult {
    UserResult(rows: rows, problem: problem)
  }
}

extension UserItem {
  /// The name in errors and reports.
  func name(of user: UserEntry) -> String { name.map { "\(user.userID) \($0)" } ?? user.userID }
}
