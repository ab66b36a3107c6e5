import API
import Arguments
import CommandContext
import Connect
import Display
import JSON

extension OutputSchema {
  static var identity: OutputSchema {
    OutputSchema(
      name: "token-verify",
      record: RecordSchema([
        "authentication_level": .optionalString, "service_id": .optionalString, "user_login": .optionalString,
        "valid": .bool,
      ]),
      columns: [
        Column("LEVEL", "authentication_level"), Column("SERVICE", "service_id"), Column("LOGIN", "user_login"),
        Column("VALID", "valid"),
      ], form: .one)
  }
}

enum TokenVerify: Command {
  struct Options: Sendable {
    var credentials = CredentialOptions()
  }

  static let name = "verify"
  static let summary = "Check with IFTTT whose credentials these are"
  static var flags: [Flag<Options>] { .lifted(CredentialOptions.flags, into: \.credentials) }
  static var examples: [ExampleSchema] { [ExampleSchema("token verify --json", "level, service and login, for jq")] }
  static var shape: OutputSchema? { .identity }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let authentication = try session.credentials.authentication(options.credentials)
    if authentication == .anonymous, options.credentials.level == nil {
      throw session.credentials.missing(.userToken, for: "'token verify'")
    }
    let client = try session.network.connect(options.credentials, as: authentication)
    if session.options.isDryRun { return session.dryRun([client.meRequest]) }
    do throws(APIError) {
      let me = try client.me()
      return .one(row(me, valid: true), as: .identity)
    } catch {
      guard case .answer(let answer) = error, answer.status == 401 else { throw Problem(error, subject: nil) }
      var output = Output.one(row(nil, valid: false), as: .identity)
      let problem = Problem(error, subject: nil)
      output.verdict = { throw problem }
      return output
    }
  }

  private static func row(_ me: Me?, valid: Bool) -> [UInt8] {
    let row: JSONValue = [
      "authentication_level": JSONValue(me?.authenticationLevel), "service_id": JSONValue(me?.serviceID),
      "user_login": JSONValue(me?.userLogin), "valid": JSONValue(valid),
    ]
    return row.bytes
  }
}
