import CommandLine
import HTTP
import JSON
import Output
import Sandbox
import Session
import Text
import World

enum SandboxEnv: Command {
  struct Options: CommandOptions {
    var wait: Duration = .zero
    var server = ServerChoice()
  }

  static let name = "env"
  static let summary = "Print the environment variables for the running server"
  static var discussion: [String] {
    [
      """
      The table format prints lines for a shell: eval "$(ifttt sandbox env)". The format env prints them without \
      'export', for files such as $GITHUB_ENV. The other formats print the object that 'sandbox start' printed.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "wait", .duration, into: \.wait, defaultText: "0", help: "Maximum time to wait for a server that is starting")
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox env --wait 10s", "print export lines for eval")] }
  static var shape: OutputSchema? { .one(ServerRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let server = try waitForServer(options, session)
    let format = session.options.format
    guard format == .table || format == .env else {
      let file = try options.server.controlKeyFile ?? RunningServers(session).path(of: server.url)
      return .one(ServerRow(server: server, file: file))
    }
    let lines = (server.environment.object?.members ?? []).map { name, value in
      format == .env
        ? "\(name)=\(value.string ?? "")\n" : "export \(name)=\(Self.quoted(value.string ?? ""))\n"
    }
    return .text(lines.joined())
  }

  /// The text in single quotes, for a POSIX shell.
  static func quoted(_ text: String) -> String { "'\(text.replacing("'", by: #"'\''"#))'" }

  private static func waitForServer(_ options: Options, _ session: Session) throws -> RunningServer {
    let clock = session.world.clock
    let deadline = clock.monotonic() + options.wait
    while true {
      do {
        let control = try ServerControl(options.server, in: session)
        return try control.describedServer
      } catch let problem as Problem where problem.code == .notFound && clock.monotonic() < deadline {
        try session.world.pause(for: .milliseconds(50))
      }
    }
  }
}

/// A running server: its URL, and the environment that makes a program use it.
struct ServerRow: OutputRecord {
  let server: RunningServer
  /// The path of the file with its key.
  let file: String

  static let fields: Fields = [
    Field("url", "The base URL of the server", column: "URL") { $0.server.url },
    Field("pid", "The process id of the server; null for a server that --control-key-file selects", column: "PID") {
      $0.server.pid
    },
    Field("environment", "The environment variables that make a program use the server") {
      ServerEnvironment(variables: $0.server.environment)
    },
    Field("control_url", "The URL of the control endpoint", column: "CONTROL") { $0.server.url + SandboxControl.path },
    Field("control_file", "The path of the file with the key of the control endpoint", column: "KEY FILE") { $0.file },
  ]
}

private struct ServerEnvironment: OutputRecord {
  let variables: JSONValue

  static let fields: Fields =
    RunningServer.environment(at: "", for: nil).map { name, _ in
      Field(name, "The value of \(name)") { $0.variables[name]?.string ?? "" }
    } + [
      Field(plainHTTP, "The value of \(plainHTTP); absent if the server is on loopback") {
        $0.variables[plainHTTP]?.string
      }
    ]

  private static let plainHTTP = EnvironmentVariable.allowHTTP.name

  var json: JSONValue { .object(JSONObject(members: object.members.filter { $0.value != .null })) }

  static var schema: JSONObject {
    var schema = objectSchema
    schema["required"] = schema["required"]?.array.map { names in .array(names.filter { $0.string != plainHTTP }) }
    return schema
  }
}

extension RunningServer {
  /// The environment variables that make a program use this server: all base URLs, and the credentials of the fixtures,
  /// which are valid only in the sandbox. A credential that the fixtures lack is empty, so that the caller's own is not
  /// sent.
  static func environment(
    at url: String, for credentials: SandboxCredentials?
  ) -> [(key: String, value: String)] {
    let user = credentials?.user
    let values: [(variable: EnvironmentVariable, value: String?)] = [
      (.service, credentials?.service), (.serviceKey, credentials?.serviceKey), (.userID, user?.id),
      (.userToken, user?.userToken), (.accessToken, user?.accessToken), (.inviteCode, credentials?.inviteCode),
      (.webhooksKey, credentials?.webhooksKey),
    ]
    return addresses(at: url) + values.map { (key: $0.variable.name, value: $0.value ?? "") }
  }

  /// The variables with a server's URL. A client accepts plain http only for hosts that it is told about.
  static func addresses(at url: String) -> [(key: String, value: String)] {
    var values = BaseURL.allCases.map { (key: $0.variable.name, value: url) }
    if let url = try? WebURL.beforeHostCheck(url), url.isReadableInTransit {
      values.append((key: EnvironmentVariable.allowHTTP.name, value: url.host))
    }
    return values
  }
}
