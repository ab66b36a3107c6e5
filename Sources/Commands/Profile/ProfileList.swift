import CommandLine
import Session
import Store

enum ProfileList: Command {
  struct Options: Sendable {}

  static let name = "list"
  static let summary = "List the profiles"
  static var shape: OutputSchema? { .many(ProfileRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var profiles = try session.store.profiles()
    for always in [ProfileName.standard, .sandbox] where !profiles.contains(where: { $0.name == always.description }) {
      profiles.append(Profile(name: always.description))
    }
    return .rows(try profiles.sorted { $0.name < $1.name }.map(session.profileRow))
  }
}
