import IFTTT
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Session

/// The one rule that selects the credential of a command, by what the command needs and what there is.
@Suite struct CredentialRequirementTests {
  /// One row of the rule: what is there, what `--as` asks for, and the level, with `+` for a user id, or the error.
  struct Row: CustomTestStringConvertible, Sendable {
    let requirement: CredentialRequirement
    /// `t` a user token, `k` a service key, `u` a user id.
    let present: String
    let level: CredentialOptions.Level?
    let result: String

    init(_ requirement: CredentialRequirement, _ present: String, _ level: CredentialOptions.Level, _ result: String) {
      (self.requirement, self.present, self.level, self.result) = (requirement, present, level, result)
    }

    init(_ requirement: CredentialRequirement, _ present: String, _ result: String) {
      (self.requirement, self.present, level, self.result) = (requirement, present, nil, result)
    }

    var testDescription: String { "\(requirement), \(present), \(level?.rawValue ?? "-")" }
  }

  private static let rows = [
    Row(.any, "tku", "user"), Row(.any, "ku", "service+"), Row(.any, "k", "service"), Row(.any, "", "anonymous"),
    Row(.any, "tku", .service, "service+"), Row(.any, "tku", .anonymous, "anonymous"),
    Row(.any, "k", .user, "missing user"), Row(.any, "t", .service, "missing service"),
    Row(.user, "tku", "user"), Row(.user, "ku", "'test' needs a user token"),
    Row(.user, "tku", .service, "'test' needs a user token"), Row(.user, "t", .anonymous, "'test' needs a user token"),
    Row(.serviceForUser, "tku", "service+"), Row(.serviceForUser, "tk", "user"), Row(.serviceForUser, "t", "user"),
    Row(.serviceForUser, "tku", .user, "user"), Row(.serviceForUser, "u", .user, "'test' needs a user token"),
    Row(.serviceForUser, "k", "'test' needs a user id"), Row(.serviceForUser, "tk", .service, "'test' needs a user id"),
    Row(.serviceForUser, "", "'test' needs a service key and a user id"),
    Row(.serviceForUser, "tu", .service, "'test' needs a service key"),
    Row(.serviceForUser, "u", "'test' needs a service key"),
    Row(.serviceForUser, "tku", .anonymous, "'test' needs a user"),
    Row(.serviceForUserToChange, "tku", "service+"), Row(.serviceForUserToChange, "tku", .user, "user"),
    Row(.serviceForUserToChange, "tk", "'test' needs a user id"),
    Row(.serviceForUserToChange, "tu", "'test' needs a service key"),
    Row(.silent, "tku", "service+"), Row(.silent, "tk", "user"), Row(.silent, "k", "anonymous"),
    Row(.silent, "tku", .user, "user"), Row(.silent, "ku", .user, "anonymous"),
    Row(.silent, "tku", .service, "service+"), Row(.silent, "t", .service, "anonymous"),
    Row(.silent, "tk", .service, "anonymous"), Row(.silent, "tku", .anonymous, "anonymous"),
    Row(.userNamed, "tku", "user"), Row(.userNamed, "ku", "service+"),
    Row(.userNamed, "k", "'test' needs a user id"),
    Row(.userNamed, "", "'test' needs a user token"),
    Row(.userNamed, "t", .service, "'test' needs a service key and a user id"),
    Row(.userNamed, "tku", .anonymous, "'test' needs a user token"),
    Row(.users, "tku", "service"), Row(.users, "tku", .user, "anonymous"),
    Row(.users, "t", "'test' --users needs a service key"),
  ]

  @Test(arguments: rows) func rule(_ row: Row) throws {
    var environment: [String: String] = [:]
    if row.present.contains("t") { environment["IFTTT_USER_TOKEN"] = "user-token-0123456789-abcdef" }
    if row.present.contains("k") { environment["IFTTT_SERVICE_KEY"] = "service-key-0123456789-abcdef" }
    let test = TestWorld(environment: environment, now: Home().now, folder: TemporaryFolder(), seed: 1)
    let session = Session(
      world: test.world, options: GlobalOptions(), path: ["test"], provenance: [], tree: Root.tree,
      transport: { _ in preconditionFailure("locating a credential sends nothing") })
    let options = CredentialOptions(level: row.level, userID: row.present.contains("u") ? "ann" : nil)
    let result: String
    do {
      let found = try session.credentials.locate(options, row.requirement)
      let isMissing = found.location == nil && found.level != .anonymous
      result = (isMissing ? "missing " : "") + found.level.rawValue + (found.userID == nil ? "" : "+")
    } catch {
      result = Problem.from(error).message
    }
    #expect(result == row.result)
  }

  @Test func theIdentityOfAMissingCredentialIsAnonymous() throws {
    let test = TestWorld(now: Home().now, folder: TemporaryFolder(), seed: 1)
    let session = Session(
      world: test.world, options: GlobalOptions(), path: ["test"], provenance: [], tree: Root.tree,
      transport: { _ in preconditionFailure("locating a credential sends nothing") })
    let missing = try session.credentials.locate(CredentialOptions(level: .user))
    let none = try session.credentials.locate(CredentialOptions(level: .anonymous))
    #expect(try missing.identity == none.identity)
  }
}
