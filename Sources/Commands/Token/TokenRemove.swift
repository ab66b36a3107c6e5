import CommandLine
import Session
import Store
import Text

enum TokenRemove: Command {
  struct Options: Sendable {
    var users: [String] = []
    var all = false
  }

  static let name = "remove"
  static let summary = "Remove stored user tokens; they stay valid at IFTTT"
  static var flags: [Flag<Options>] {
    [.toggle("all", into: \.all, help: "Remove every user token of this profile, after confirmation")]
  }
  static var positionals: [Positional<Options>] {
    [.many(.tokenUser, into: \.users, help: "Users whose tokens to remove; default: the profile's user")]
  }
  static var shape: OutputSchema? { .many(ChangedItem.self) }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    if options.all, !options.users.isEmpty { throw Conflict("pass users or --all, not both", options: ["all"]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    let users: [String] =
      if options.all {
        try store.credentials(profile: profile).filter { $0.kind == .userToken }.map(\.userID)
      } else if options.users.isEmpty {
        [try session.storedToken(of: nil).0.userID]
      } else {
        options.users
      }
    let records = try store.credentials(profile: profile).filter { $0.kind == .userToken && users.contains($0.userID) }
    // Check all names first, so that a wrong name does not leave a partial removal.
    if let unknown = users.first(where: { user in !records.contains { $0.userID == user } }) {
      throw Problem(
        .notFound, "no user token is stored for user '\(unknown)'",
        hint: "To list the stored tokens, run: \(ifttt: "token list")"
      )
    }
    if session.options.isDryRun {
      return session.dryRun(change: records.isEmpty ? nil : "Would remove \(phrase(records.count)).")
    }
    if options.all, !records.isEmpty {
      try session.console.confirm("Remove \(phrase(records.count)) from profile '\(profile)'?")
    }
    for user in users {
      _ = try store.removeCredential(.userToken, userID: user, profile: profile)
    }
    session.console.note("Removed \(phrase(users.count)).")
    return .changed(users.map { ChangedItem($0) }, in: session)
  }

  private static func phrase(_ count: Int) -> String { count == 1 ? "1 user token" : "\(count) user tokens" }
}
