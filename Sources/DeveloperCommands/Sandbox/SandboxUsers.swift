import CommandLine
import HTTP
import JSON
import Output
import Session

private struct SandboxUser: OutputRecord {
  let id: String

  static let fields: Fields = [Field("user_id", "The user's id", column: "USER_ID", overflow: .keep) { $0.id }]
}

private struct SandboxUserWithToken: OutputRecord {
  let id: String
  let accessToken: String

  static let fields: Fields = [
    Field("user_id", "The user's id", column: "USER_ID", overflow: .keep) { $0.id },
    Field("access_token", "The access token, valid only in the sandbox", column: "ACCESS_TOKEN", overflow: .keep) {
      $0.accessToken
    },
  ]
}

enum SandboxUsers: Command {
  struct Options: CommandOptions {
    var showsTokens = false
    var server = ServerChoice()
  }

  static let name = "users"
  static let summary = "List the users of the running server, as a file for --users"
  static var discussion: [String] {
    [
      """
      Prints one row, as JSON Lines by default, for each user of the first service: those of the fixtures, and those \
      of 'sandbox start --users'. The latter have the same connections as the first user until they are changed.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle(
        "tokens", into: \.showsTokens,
        help: "Include access tokens, which 'token exchange' accepts in the sandbox")
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox users", "list the users"),
      ExampleSchema("sandbox users --tokens", "list the users and their access tokens"),
    ]
  }
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(SandboxUser.self)
    shape.alternative = { .many(SandboxUserWithToken.self) }
    return shape
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let control = try ServerControl(options.server, in: session)
    // Request the first page now, so that a missing server is reported before anything is printed.
    let first = try page(0, of: control)
    let rows = Rows(isReiterable: false) { write in
      var page = first
      while true {
        for user in page["users"]?.array ?? [] { try bytes(user, options).withUnsafeBytes(write) }
        guard let next = page["next"]?.int else { return }
        page = try self.page(next, of: control)
      }
    }
    return Output(
      body: .events(rows, options.showsTokens ? .many(SandboxUserWithToken.self) : .many(SandboxUser.self)))
  }

  private static func page(_ position: Int, of control: ServerControl) throws -> JSONValue {
    try control.send(.get, "/users", query: [QueryItem("from", String(position))])
  }

  private static func bytes(_ user: JSONValue, _ options: Options) -> [UInt8] {
    let id = user["user_id"]?.string ?? ""
    guard options.showsTokens else { return SandboxUser(id: id).bytes }
    return SandboxUserWithToken(id: id, accessToken: user["access_token"]?.string ?? "").bytes
  }
}
