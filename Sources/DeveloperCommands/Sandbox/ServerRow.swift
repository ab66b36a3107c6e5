import JSON
import Output
import Sandbox
import Session
import World

/// A running server: its URL, and the environment that makes a program use it.
struct ServerRow: OutputRecord {
  let server: RunningServer
  /// The path of the file with its key.
  let file: String

  static let fields: Fields = [
    Field("url", "The base URL of the server", column: "URL") { $0.server.url },
    Field("pid", "The process id of the server", column: "PID") { $0.server.pid },
    Field("environment", "The environment variables that make a program use the server") {
      ServerEnvironment(variables: $0.server.environment)
    },
    Field("control_url", "The URL of the control endpoint", column: "CONTROL") { $0.server.url + SandboxControl.path },
    Field("control_file", "The path of the file with the key of the control endpoint", column: "KEY FILE") { $0.file },
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
    let values: [(variable: EnvironmentVariable, value: String?)] = [
      (.service, credentials?.service), (.serviceKey, credentials?.serviceKey), (.userID, user?.id),
      (.userToken, user?.userToken), (.accessToken, user?.accessToken), (.inviteCode, credentials?.inviteCode),
      (.webhooksKey, credentials?.webhooksKey),
    ]
    return Base.allCases.map { (key: $0.variable.name, value: url) }
      + values.map { (key: $0.variable.name, value: $0.value ?? "") }
  }
}
