import Display
import JSON
import Sandbox

extension Shape {
  /// A running server: where it is, and what makes a program use it.
  static var sandboxServer: Shape {
    Shape(
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

  private static var names: [String] { RunningServer.environment(at: "").map(\.key) }
}

extension RunningServer {
  /// What a program must have in its environment to talk to this server and be known there: all base URLs, and the
  /// credentials of the sandbox's own world, which open nothing else.
  static func environment(at url: String) -> [(key: String, value: String)] {
    Base.allCases.map { (key: $0.variable, value: url) } + [
      (key: "IFTTT_SERVICE", value: SandboxWorld.serviceID), (key: "IFTTT_SERVICE_KEY", value: SandboxWorld.serviceKey),
      (key: "IFTTT_USER_ID", value: SandboxWorld.userID), (key: "IFTTT_USER_TOKEN", value: SandboxWorld.userToken),
      (key: "IFTTT_ACCESS_TOKEN", value: SandboxWorld.accessToken),
      (key: "IFTTT_INVITE_CODE", value: SandboxWorld.inviteCode),
    ]
  }

  /// - Parameter file: where its key is.
  func row(keptIn file: String) -> [UInt8] {
    let environment = Self.environment(at: url).map { (key: $0.key, value: JSONValue.string($0.value)) }
    let row: JSONValue = [
      "url": .string(url), "pid": JSONValue(pid), "environment": .object(JSONObject(members: environment)),
      "control_url": .string(url + SandboxControl.path), "control_file": .string(file),
    ]
    return row.bytes
  }
}
