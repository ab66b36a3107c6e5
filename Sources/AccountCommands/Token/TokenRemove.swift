import Arguments
import CommandContext
import Hints
import Store

enum TokenRemove: Command {
  struct Options: Sendable {
    var users: [String] = []
    var all = false
  }

  static let name = "remove"
  static let summary = "Forget user tokens; they stay valid at IFTTT"
  static var flags: [Flag<Options>] {
    [.toggle("all", into: \.all, help: "Forget every user token of this profile, after confirmation")]
  }
  static var positionals: [Positional<Options>] {
    [.many(.tokenUser, into: \.users, help: "The users whose tokens to forget; the profile's user without any")]
  }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    if options.all, !options.users.isEmpty { throw Conflict("give users or --all, not both", options: ["all"]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    let users: [String] =
      if options.all {
        try store.credentials(profile: profile).filter { $0.kind == .userToken }.map(\.userID)
      } else if options.users.isEmpty {
        [try session.keptToken(of: nil).0.userID]
      } else {
        options.users
      }
    let records = try store.credentials(profile: profile).filter { $0.kind == .userToken && users.contains($0.userID) }
    // Check all names first, so that a wrong name does not leave a partial removal.
    if let unknown = users.first(where: { user in !records.contains { $0.userID == user } }) {
      throw Problem(
        .notFound, "no user token is kept for user '\(unknown)'", hint: "See \(ifttt: "token list") for those that are."
      )
    }
    if session.options.isDryRun {
      return session.dryRun(change: records.isEmpty ? nil : "Would forget \(phrase(records.count)).")
    }
    if options.all, !records.isEmpty { try session.confirm("Forget \(phrase(records.count)) of profile '\(profile)'?") }
    for user in users {
      _ = try store.removeCredential(.userToken, userID: user, profile: profile)
    }
    session.note("Forgot \(phrase(users.count)).")
    return .nothing
  }

  private static func phrase(_ count: Int) -> String { count == 1 ? "1 user token" : "\(count) user tokens" }
}
