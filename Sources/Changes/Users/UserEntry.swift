import JSON
package import Text

/// A user whom a run acts for.
package struct UserEntry: Sendable, Equatable {
  /// The user's id on the service.
  package let userID: String
  /// The OAuth access token, if the command needs it.
  package let accessToken: Secret?

  package init(userID: String, accessToken: Secret? = nil) { (self.userID, self.accessToken) = (userID, accessToken) }

  /// In bytes. It must fit into a URL.
  static let longestID = 2048
}

extension UserEntry {
  /// The row of an object with the user's id as its first member.
  package func adding(to row: [UInt8]) -> [UInt8] {
    Array(#"{"user_id":"#.utf8) + JSONValue.string(userID).bytes + [UInt8(ascii: ",")] + row.dropFirst()
  }
}
