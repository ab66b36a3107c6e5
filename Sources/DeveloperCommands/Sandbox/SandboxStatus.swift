import CommandLine
import HTTP
import JSON
import Output
import Session
import Text
import World

/// A running server and what it has done.
private struct ServerStatus: OutputRecord {
  let server: RunningServer
  let counts: JSONValue

  static let fields: Fields = [
    Field("url", "The base URL of the server", column: "URL", overflow: .keep) { $0.server.url },
    Field("pid", "The process id of the server", column: "PID", style: .number) { $0.server.pid },
    Field("requests", "The number of requests to the emulator", column: "REQUESTS", style: .number) {
      $0.counts["requests"]?.int ?? 0
    },
    Field("faults", "The number of faults in force", column: "FAULTS", style: .number) {
      $0.counts["faults"]?.int ?? 0
    },
    Field("log", "The path of its log; null unless it was started with --detach") { $0.server.log },
  ]
}

enum SandboxStatus: Command {
  static let name = "status"
  static let summary = "List the running servers"
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox status --json", "list the running servers")] }
  static var shape: OutputSchema? { .many(ServerStatus.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let rows = try ServerControl.running(in: session).map { ServerStatus(server: $0.server, counts: $0.counts) }
    if rows.isEmpty { session.console.noteEmpty("No server is running. Start one with \(ifttt: "sandbox start").") }
    return .rows(rows)
  }
}

/// A server that was stopped.
private struct StoppedServer: OutputRecord {
  let url: String

  static let fields: Fields = [
    Field("url", "The base URL of the server", column: "URL") { $0.url },
    Field("stopped", "Always true", column: "STOPPED") { _ in true },
  ]
}

enum SandboxStop: Command {
  static let name = "stop"
  static let summary = "Stop a running server"
  static var discussion: [String] {
    ["The server lets requests in flight finish, as after Ctrl-C. The command waits until the server has ended."]
  }
  static var flags: [Flag<ServerChoice>] { ServerChoice.flags }
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox stop", "stop the only running server")] }
  static var shape: OutputSchema? { .one(StoppedServer.self) }

  /// The time that a server has to end. Requests in flight get five seconds.
  private static let limit = Duration.seconds(10)

  static func run(_ options: ServerChoice, in session: Session) throws -> Output {
    if session.options.isDryRun { return session.dryRun(change: "Would stop the sandbox server.") }
    let control = try ServerControl(options, in: session)
    _ = try control.send(.post, "/stop")
    let clock = session.world.clock
    let end = clock.monotonic() + limit
    while clock.monotonic() < end {
      do { _ = try control.send(.get, "") } catch let problem as Problem where problem.code == .notFound {
        return .one(StoppedServer(url: control.server.url))
      } catch let error where Problem.from(error).code != .interrupted {
        // The port may be closed while connections still end.
      }
      try session.world.pause(for: .milliseconds(50))
    }
    throw Problem(
      .timeout, "the server at \(control.server.url) has not ended after 10 s",
      hint: control.server.pid.map { "Its process is \(String($0))." } ?? "Check the process or the container.")
  }
}
