import Session
import Text

/// A users file that cannot be read at all, as opposed to a bad line. The text never quotes the file, which may contain
/// access tokens.
struct UsersFileError: Error, Equatable {
  let reason: String

  static let unclosed = UsersFileError(reason: "its first line is not a CSV header: a quoted value is not closed")
  static let array = UsersFileError(reason: "it is a JSON array, not JSON Lines")
}

extension UsersFileError: ProblemConvertible {
  package var problem: Problem {
    Problem(
      .usage, "--users: the file cannot be used", reason: reason,
      hint: "Pass JSON Lines with a \"user_id\" in each object, or CSV with a column user_id.")
  }
}
