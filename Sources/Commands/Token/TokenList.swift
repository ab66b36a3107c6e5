import CommandLine
import Session
import Store
import Text

enum TokenList: Command {
  struct Options: Sendable {}

  static let name = "list"
  static let summary = "List the user tokens stored in this profile, masked"
  static var shape: OutputSchema? { .many(TokenRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = try session.profile.name
    let store = try session.store
    let rows = try store.credentials(profile: name).filter { $0.kind == .userToken }.compactMap { record in
      try store.credential(.userToken, userID: record.userID, profile: name).map {
        TokenRow(record: record, secret: $0, profile: name)
      }
    }
    if rows.isEmpty {
      session.console.noteEmpty("No user tokens are stored. To get one, run: \(ifttt: "token exchange")")
    }
    return .rows(rows)
  }
}
