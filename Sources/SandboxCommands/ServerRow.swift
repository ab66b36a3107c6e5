import CommandContext
import JSON
import Sandbox

/// A running server: its URL, and the environment that makes a program use it.
struct ServerRow: OutputRecord {
  let server: RunningServer
  /// The path of the file with its key.
  let file: String

  static let fields: Fields = [
    Field("url", "The base URL of the server", column: "URL") { $0.server.url },
    Field("pid", "The process ID of the server", column: "PID") { $0.server.pid },
    Field("environment", "The environment variables that make a program use the server") {
      ServerEnvironment(variables: $0.server.environment)
    },
    Field("control_url", "The URL of the control endpoint", column: "CONTROL") { $0.server.url + SandboxControl.path },
    Field("control_file", "The path of the file with the key of the control endpoint", column: "KEY IN") { $0.file },
  ]
}

private struct ServerEnvironment: OutputRecord {
  let variables: JSONValue

  static let fields: Fields = RunningServer.environment(at: "", for: nil).map { name, _ in
    Field(name, "The value of \(name)") { $0.variables[name]?.string ?? "" }
  }
}

extension RunningServer {
  /// The environment variables that make a program use this server: all base URLs, and credentials of the sandbox's
  /// fixtures, which are valid nowhere else. A credential that the fixtures lack is empty, so that the caller's own
  /// is not sent.
  static func environment(
    at url: String, for credentials: SandboxCredentials?
  ) -> [(key: String, value: String)] {
    let user = credentials?.user
    return Base.allCases.map { (key: $0.variable, value: url) } + [
      (key: "IFTTT_SERVICE", value: credentials?.service ?? ""),
      (key: "IFTTT_SERVICE_KEY", value: credentials?.serviceKey ?? ""), (key: "IFTTT_USER_ID", value: user?.id ?? ""),
      (key: "IFTTT_USER_TOKEN", value: user?.userToken ?? ""),
      (key: "IFTTT_ACCESS_TOKEN", value: user?.accessToken ?? ""),
      (key: "IFTTT_INVITE_CODE", value: credentials?.inviteCode ?? ""),
    ]
  }
}
