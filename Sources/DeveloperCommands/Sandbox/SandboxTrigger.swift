import CommandLine
import HTTP
import JSON
import Output
import Session
import Text
import World

enum SandboxTrigger: Command {
  struct Options: CommandOptions {
    var connection = Required<String>()
    var trigger: String?
    var userID: String?
    var ingredients: [FieldAssignment] = []
    var server = ServerChoice()
  }

  static let name = "trigger"
  static let summary = "Fire a trigger of a connection in the running server"
  static var discussion: [String] {
    [
      """
      The server acts as if a poll had found a new event: it sends the webhook and, with --service-url, runs the \
      queries and actions of the trigger's feature. The connection and the feature must be enabled for the user. \
      Ingredients without --set have example values.
      """,
      """
      TRIGGER is the name of a trigger, such as lampost.lamp_switched_on, or the id of a trigger that the user \
      configured. It is optional if the connection has only one trigger.
      """,
      """
      Prints the event and the numbers of its effects so far. 'sandbox activity' shows these, and the effects that \
      follow.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "user-id", .userID(), into: \.userID, defaultText: "the first user of the server",
        help: "The user's id in the service"),
      .repeated("set", .assignment, into: \.ingredients, help: "Value of an ingredient"),
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var positionals: [Positional<Options>] {
    [
      .required(
        .nonEmpty("CONNECTION_ID", completion: .dynamic(CompletionCandidates.connectionID.rawValue)),
        into: \.connection, help: "The connection"),
      .optional(.nonEmpty("TRIGGER"), into: \.trigger, help: "The name or the id of the trigger"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox trigger Wd5Po8Rk", "fire the only trigger of a connection"),
      ExampleSchema("sandbox trigger Fq3Lw8Zt location.enter_region_location", "choose the trigger"),
    ]
  }
  static var shape: OutputSchema? { ServerLog.entry(of: .activity) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let connection = options.connection.value
    if session.options.isDryRun {
      let trigger = options.trigger.map { "trigger \($0)" } ?? "the trigger"
      return session.dryRun(change: "Would fire \(trigger) of connection \(connection).")
    }
    let control = try ServerControl(options.server, in: session)
    let user = try options.userID ?? firstUser(of: control)
    let trigger = try options.trigger ?? onlyTrigger(of: connection, user, control)
    let ingredients = options.ingredients.map { (key: $0.name, value: JSONValue.string($0.value)) }
    let event = try explaining {
      try control.send(
        .post, "/trigger",
        body: [
          "user_id": .string(user), "connection_id": .string(connection), "trigger": .string(trigger),
          "ingredients": .object(JSONObject(members: ingredients)),
        ])
    }
    // The effects so far are those that the server did not have to wait for.
    let entry = try control.entry(event["number"]?.int ?? 0, in: .activity)
    return .rows([entry.bytes], as: ServerLog.entry(of: .activity))
  }

  private static func firstUser(of control: ServerControl) throws -> String {
    guard let user = try control.send(.get, "/users")["users"]?.array?.first?["user_id"]?.string else {
      throw Problem(
        .notFound, "the server has no users", reason: "No service of its fixtures has a key and a user.",
        hint: "Reset it with \(ifttt: "sandbox reset --seed plain").")
    }
    return user
  }

  /// The name of the only trigger that the user has configured in the connection.
  private static func onlyTrigger(of id: String, _ user: String, _ control: ServerControl) throws -> String {
    let connections = try explaining {
      try control.send(.get, "/connections", query: [QueryItem("user", user)]).array ?? []
    }
    guard let connection = connections.first(where: { $0["id"]?.string == id }) else {
      throw Problem(
        .notFound, "the service of user '\(user)' has no connection '\(id)'",
        reason: "It has: \(connections.compactMap { $0["id"]?.string }.joined(separator: ", ")).",
        hint: "The connections are in the output of \(ifttt: "sandbox seed --running").")
    }
    let steps = (connection["features"]?.array ?? []).flatMap { $0["steps"]?.array ?? [] }
    let configured = steps.filter { $0["kind"] == "triggers" && $0["id"]?.string != nil }
    let names = Set(configured.compactMap { $0["name"]?.string }).sorted()
    if let name = names.first, names.count == 1 { return name }
    guard let first = names.first else {
      throw Problem(
        .refused, "user '\(user)' has configured no trigger of connection '\(id)'",
        reason: "Only a trigger of an enabled connection can fire.",
        hint: "The state of each user is in the output of \(ifttt: "sandbox seed --running").")
    }
    throw Problem(
      .usage, "connection '\(id)' has \(names.count) triggers",
      reason: "They are: \(names.joined(separator: ", ")).",
      hint: "Name one: \(ifttt: "sandbox trigger \(id) \(first)")")
  }

  /// Throws the reason of the server if it does not find or refuses what a request names.
  private static func explaining<Result>(_ send: () throws -> Result) throws -> Result {
    do { return try send() } catch let problem as Problem where [404, 409].contains(problem.status) {
      throw Problem(
        problem.status == 404 ? .notFound : .refused, "the trigger was not fired", reason: problem.reason,
        hint:
          "The users, and the connections that they enabled, are in the output of \(ifttt: "sandbox seed --running").")
    }
  }
}
