import CommandLine
import HTTP
import JSON
import Output
package import Sandbox
package import Session

extension FaultRule: OutputRecord {
  package static let fields: Fields = [
    Field("fault", "The fault", column: "FAULT", overflow: .keep) { $0.fault.text },
    Field("path", "The pattern of paths that fail; null for all", column: "PATH", overflow: .keep) { $0.path },
    Field("method", "The method of requests that fail; null for all", column: "METHOD") { $0.method },
    Field("times", "The remaining number of requests that fail; null for no limit", column: "TIMES", style: .number) {
      $0.times
    },
    Field("share", "The share of the requests that fail, from 0 to 1", column: "SHARE", style: .number) { $0.share },
    Field("text", "The rule, as 'sandbox faults set' accepts it") { $0.text },
  ]
}

enum SandboxFaultsSet: Command {
  struct Options: CommandOptions {
    var faults: [FaultRule] = []
    var path: String?
    var method: HTTP.Method?
    var times: Int?
    var share: Double?
    var adds = false
    var seed = 0
    var server = ServerChoice()
  }

  static let name = "set"
  static let summary = "Set the faults that the running server injects"
  static var discussion: [String] {
    [
      """
      A FAULT consists of a name, a value if the fault needs one, and conditions, separated by commas: \
      status=503,retry-after=2,path=/v2/connections/*,times=3. The options set the same conditions for all FAULT \
      arguments. The new faults replace the existing ones, unless you pass --add.
      """,
      """
      Latencies add up. For other faults, only the first that matches a request applies. The same --fault-seed selects \
      the same requests again.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("path", .nonEmpty("PATTERN"), into: \.path, help: "Apply only to these paths; '*' matches anything"),
      .value(
        "method", .oneOf(HTTP.Method.self, placeholder: "METHOD"), into: \.method, help: "Apply only to this method"),
      .value("times", .integer(in: 1...1_000_000), into: \.times, help: "Maximum number of requests it applies to"),
      .value("share", .share, into: \.share, help: "Fraction of the requests it applies to, from 0 to 1"),
      .toggle("add", into: \.adds, help: "Keep the existing faults"),
      .value(
        "fault-seed", .integer(), into: \.seed, defaultText: "0", isAdvanced: true,
        help: "Seed of the random selection with --share"),
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var positionals: [Positional<Options>] {
    [.many(.faultRule, atLeast: .one, into: \.faults, help: "The faults to inject")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox faults set status=503,retry-after=1 --times 2", "fail twice, then succeed"),
      ExampleSchema("sandbox faults set latency=50ms..200ms reset --share 0.1", "simulate an unreliable network"),
    ]
  }
  static var shape: OutputSchema? { .many(FaultRule.self).report }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let rules = options.faults.map { rule in
      var rule = rule
      rule.path = options.path ?? rule.path
      rule.method = options.method?.rawValue ?? rule.method
      rule.times = options.times ?? rule.times
      rule.share = options.share ?? rule.share
      return rule
    }
    if session.options.isDryRun {
      return session.dryRun(change: "Would set \(rules.map(\.text).joined(separator: " ")).")
    }
    let body: JSONValue = ["faults": .array(rules.map { .string($0.text) }), "seed": JSONValue(options.seed)]
    let control = try ServerControl(options.server, in: session)
    return faultRows(try control.send(options.adds ? .post : .put, "/faults", body: body))
  }
}

enum SandboxFaultsList: Command {
  static let name = "list"
  static let summary = "List the faults that the running server injects"
  static var flags: [Flag<ServerChoice>] { ServerChoice.flags }
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox faults list --json", "list the faults as JSON")] }
  static var shape: OutputSchema? { .many(FaultRule.self) }

  static func run(_ options: ServerChoice, in session: Session) throws -> Output {
    faultRows(try ServerControl(options, in: session).send(.get, "/faults"))
  }
}

enum SandboxFaultsClear: Command {
  static let name = "clear"
  static let summary = "Clear all injected faults"
  static var flags: [Flag<ServerChoice>] { ServerChoice.flags }
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox faults clear --json", "clear all faults")] }
  static var shape: OutputSchema? { .many(FaultRule.self).report }

  static func run(_ options: ServerChoice, in session: Session) throws -> Output {
    if session.options.isDryRun { return session.dryRun(change: "Would clear all faults.") }
    return faultRows(try ServerControl(options, in: session).send(.delete, "/faults"))
  }
}

private func faultRows(_ response: JSONValue) -> Output {
  .rows((response.array ?? []).map(\.bytes), as: .many(FaultRule.self))
}

extension ValueKind<Double> {
  fileprivate static var share: ValueKind {
    .parsed("SHARE", expected: "a number from 0 to 1") { text in Double(text).flatMap { 0...1 ~= $0 ? $0 : nil } }
  }
}
