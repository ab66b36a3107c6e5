import CommandLine
import HTTP
import JSON
import Output
import Session
import Text
import World

enum SandboxSendAgain: Command {
  struct Options: CommandOptions {
    var number = Required<Int>()
    var method: HTTP.Method?
    var path: String?
    var headers: [Header] = []
    var inputFile: String?
    var server = ServerChoice()
  }

  static let name = "send-again"
  static let summary = "Send a request of the running server again"
  static var discussion: [String] {
    [
      """
      N is a number from 'sandbox requests' or 'sandbox activity'. A request that a client sent is sent to the sandbox \
      again, with the same credentials; a request that the sandbox sent goes to the partner's server. A query or an \
      action has the values that are configured now, unless an option changes the request.
      """,
      "Prints the new request with its response. It fails without a response, and for a status of 400 or more.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "method", short: "X", .oneOf(HTTP.Method.self, placeholder: "METHOD"), into: \.method,
        help: "Send it with another method"),
      .value("path", .nonEmpty("PATH"), into: \.path, help: "Send it to another path of the same server"),
      .repeated("header", short: "H", .requestHeader, into: \.headers, help: "Add or replace a header"),
      .value("input", .file, into: \.inputFile, help: "Send a file as the body; '-' reads stdin"),
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var positionals: [Positional<Options>] {
    [.required(.integer(in: 1...Int.max, placeholder: "N"), into: \.number, help: "The number of the request")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox send-again 1", "repeat a request, such as an action after a correction"),
      ExampleSchema("sandbox send-again 1 --json", "print the new request and its response as JSON"),
    ]
  }
  static var shape: OutputSchema? { ServerLog.entry(of: .requests) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let number = options.number.value
    var edit = JSONObject()
    if let method = options.method { edit["method"] = .string(method.rawValue) }
    if let path = options.path { edit["path"] = .string(path) }
    if !options.headers.isEmpty {
      edit["headers"] = .object(JSONObject(members: options.headers.map { ($0.name, .string($0.wire)) }))
    }
    if let file = options.inputFile {
      let bytes = try session.console.text(of: file, for: "--input", limit: 1 << 20)
      edit["body"] = .string(String(decoding: bytes, as: UTF8.self))
    }
    if session.options.isDryRun { return session.dryRun(change: "Would send request \(number) again.") }
    let control = try ServerControl(options.server, in: session)
    let row: JSONValue
    do {
      row = try control.send(
        .post, "/requests/\(number)/send", body: edit.members.isEmpty ? nil : .object(edit))
    } catch let problem as Problem where problem.status == 404 {
      throw Problem.noEntry(number)
    } catch let problem as Problem where problem.status == 409 {
      throw Problem(.refused, "request \(number) cannot be sent again", reason: problem.reason)
    }
    var output = Output.rows([row.bytes], as: ServerLog.entry(of: .requests))
    output.verdict = {
      let status = row["status"]?.int
      guard status.map({ $0 >= 400 }) ?? true else { return }
      throw Problem(
        .refused, status.map { "the response was \($0)" } ?? "there was no response",
        reason: row["message"]?.string)
    }
    return output
  }
}
