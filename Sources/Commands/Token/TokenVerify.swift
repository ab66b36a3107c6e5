import CommandLine
import IFTTT
import Session

/// IFTTT's verdict on credentials.
private struct VerifiedIdentity: OutputRecord {
  /// Nil if IFTTT rejected the credentials.
  let me: Me?

  static let fields: Fields = [
    Field("authentication_level", "The authentication level of the credentials", column: "LEVEL") {
      $0.me?.authenticationLevel
    },
    Field("service_id", "The service's id", column: "SERVICE") { $0.me?.serviceID },
    Field("user_login", "The user's login name at IFTTT", column: "LOGIN") { $0.me?.userLogin },
    Field("valid", "Whether IFTTT accepted the credentials", column: "VALID") { $0.me != nil },
  ]
}

enum TokenVerify: Command {
  struct Options: Sendable {
    var credentials = CredentialOptions()
  }

  static let name = "verify"
  static let summary = "Verify credentials with IFTTT and show their owner"
  static var flags: [Flag<Options>] { .lifted(CredentialOptions.flags, into: \.credentials) }
  static var examples: [ExampleSchema] {
    [ExampleSchema("token verify --json", "print the level, service and login as JSON")]
  }
  static var shape: OutputSchema? { .one(VerifiedIdentity.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let authentication = try session.credentials.authentication(options.credentials)
    if authentication == .anonymous, options.credentials.level == nil {
      throw session.credentials.missing(.userToken, for: "'token verify'")
    }
    let client = try session.network.connect(options.credentials, as: authentication)
    if session.options.isDryRun { return session.dryRun([client.meRequest]) }
    do throws(APIError) {
      return .one(VerifiedIdentity(me: try client.me()))
    } catch {
      guard case .answer(let answer) = error, answer.status == 401 else { throw Problem(error, subject: nil) }
      var output = Output.one(VerifiedIdentity(me: nil))
      let problem = Problem(error, subject: nil)
      output.verdict = { throw problem }
      return output
    }
  }
}
