import CommandContext
import Display
import EnvironmentVariables
import JSON
import Sandbox

extension OutputSchema {
  /// A running server: its URL, and the environment that makes a program use it.
  static var sandboxServer: OutputSchema {
    OutputSchema(
      name: "sandbox-start",
      record: RecordSchema([
        "url": .string, "pid": .int, "environment": .record(RecordSchema(keys: names, each: .string)),
        "control_url": .string, "control_file": .string,
      ]),
      columns: [
        Column("URL", "url", overflow: .keep), Column("PID", "pid", style: .number),
        Column("CONTROL", "control_url", overflow: .keep), Column("KEY IN", "control_file", overflow: .keep),
      ], form: .one)
  }

  private static var names: [String] { RunningServer.environment(at: "", for: nil).map(\.key) }
}

extension RunningServer {
  /// The environment variables that make a program use this server: all base URLs, and credentials of the sandbox's
  /// fixtures, which are valid nowhere else. A credential that the fixtures lack is empty, so that the caller's own
  /// is not sent.
  static func environment(
    at url: String, for credentials: SandboxCredentials?
  ) -> [(key: String, value: String)] {
    let user = credentials?.user
    let values: [(variable: EnvironmentVariable, value: String?)] = [
      (.service, credentials?.service), (.serviceKey, credentials?.serviceKey), (.userID, user?.id),
      (.userToken, user?.userToken), (.accessToken, user?.accessToken), (.inviteCode, credentials?.inviteCode),
    ]
    return Base.allCases.map { (key: $0.variable.name, value: url) }
      + values.map { (key: $0.variable.name, value: $0.value ?? "") }
  }

  /// - Parameter file: The path of the file with its key.
  func row(keptIn file: String) -> [UInt8] {
    let row: JSONValue = [
      "url": .string(url), "pid": JSONValue(pid), "environment": environment,
      "control_url": .string(url + SandboxControl.path), "control_file": .string(file),
    ]
    return row.bytes
  }
}
