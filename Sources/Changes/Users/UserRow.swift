import Output
package import Session

/// A row of a run over users: the user, then the fields of the row of one user.
package struct UserRow<Row: OutputRecord & SendableMetatype>: OutputRecord {
  package let userID: String
  package let row: Row

  package init(_ row: Row, of userID: String) { (self.row, self.userID) = (row, userID) }

  package static var fields: Fields {
    [Field("user_id", "The user's id on your service", column: "USER", overflow: .keep) { $0.userID }]
      + Row.fields.map { $0.lifted { $0.row } }
  }
}
