import CommandLine
import IFTTT
import Output
import Session

enum ConnectionsRefreshLabels: Command {
  struct Options: CommandOptions {
    var id = Required<ConnectionID>()
    var credentials = CredentialOptions()
  }

  static let name = "refresh-labels"
  static let summary = "Refresh the labels of stored options"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      After a device or a list is renamed in its service, stored settings still show the old name. This command makes \
      IFTTT fetch the options again and update the stored names; nothing else in the settings changes.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] { .lifted(CredentialOptions.flags, into: \.credentials) }
  static var positionals: [Positional<Options>] {
    [.required(.ownConnectionID, into: \.id, help: "The connection")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("connections refresh-labels Kd7Rn2Qx", "update the labels after a calendar was renamed")]
  }
  static var shape: OutputSchema? { schema }
  private static var schema: OutputSchema {
    .one(AcceptedRow.self).changingColumns { $0.removeAll { $0.title == "STEP" } }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let access = try ConnectionAccess(
      options.id.value, options.credentials, in: session)
    try access.requireServiceKey()
    let endpoint = access.client.refreshLabels(of: access.id)
    if session.options.isDryRun { return session.dryRun([endpoint.request]) }
    do throws(APIError) { try endpoint.send() } catch {
      throw access.explained(Problem(error, subject: access.subject))
    }
    // The cached options have the old labels.
    try access.forgetOptions()
    return .one(AcceptedRow(id: access.id), as: schema)
  }
}
