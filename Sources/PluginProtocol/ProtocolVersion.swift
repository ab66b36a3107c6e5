/// The versions of the protocol that this library speaks.
public enum ProtocolVersion {
  /// The newest.
  public static let current = "1"
  /// All of them, best first.
  public static let spoken = [current]
}

/// What a provider may be asked; what it does not announce it is never asked.
public enum Capability: String, Sendable, CaseIterable {
  case listConnections = "connections/list"
  case showConnection = "connections/show"
  case enableConnection = "connections/enable"
  case disableConnection = "connections/disable"
  case activateConnection = "connections/activate"
  case configureConnection = "connections/configure"
  case credentialStatus = "credential/status"
  case refreshCredential = "credential/refresh"
  case revokeCredential = "credential/revoke"
  case runCommand = "command/run"
  case complete
}

/// What the program tells a plugin of itself and of this run, with `initialize`.
public struct Greeting: Sendable, Equatable {
  /// Versions of the protocol.
  public var versions = ProtocolVersion.spoken
  /// Which program it is.
  public var hostName = "ifttt"
  /// By Semantic Versioning.
  public var hostVersion = ""
  /// The set of credentials that is in use; a plugin keeps things apart by it.
  public var profile = "default"
  /// A BCP 47 tag, `en-US`.
  public var locale = "en-US"
  /// Whether somebody can be asked.
  public var isInteractive = false
  /// Whether the network must not be touched.
  public var isOffline = false
  /// Whether nothing must be changed.
  public var isDryRun = false
  /// Whether `--verbose` was given.
  public var isVerbose = false
  /// Of one request.
  public var timeout: Duration = .seconds(30)
  /// What the host can do for the plugin: `credential`, `redirect`, `lock`, `prompt`, `confirm`, `input`, `browser`,
  /// `wait`, `progress`, `log`.
  public var capabilities = [
    "credential", "redirect", "lock", "prompt", "confirm", "input", "browser", "wait", "progress", "log",
  ]

  /// With what holds where nothing else is said.
  public init() {}

  /// Reads the parameters of `initialize`; what is missing is as in ``init()``, or not granted.
  public init(reading params: Value) {
    versions = params["protocol"]?.array?.compactMap(\.string) ?? []
    hostName = params["host"]?["name"]?.string ?? ""
    hostVersion = params["host"]?["version"]?.string ?? ""
    profile = params["profile"]?.string ?? "default"
    locale = params["locale"]?.string ?? "en-US"
    isInteractive = params["interactive"]?.bool ?? false
    isOffline = params["offline"]?.bool ?? false
    isDryRun = params["dry_run"]?.bool ?? false
    isVerbose = params["verbose"]?.bool ?? false
    timeout = .milliseconds(params["timeout_ms"]?.int(in: 0...Int(Int32.max)) ?? 30_000)
    capabilities = params["capabilities"]?.array?.compactMap(\.string) ?? []
  }

  /// The parameters of `initialize`.
  public var params: Value {
    [
      "protocol": Value(versions.map { Value($0) }), "host": ["name": Value(hostName), "version": Value(hostVersion)],
      "profile": Value(profile), "locale": Value(locale), "interactive": Value(isInteractive),
      "offline": Value(isOffline), "dry_run": Value(isDryRun), "verbose": Value(isVerbose),
      "timeout_ms": Value(timeout.milliseconds), "capabilities": Value(capabilities.map { Value($0) }),
    ]
  }
}

extension Duration {
  /// Whole ones, rounded towards zero.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue)
      + Int(attoseconds / 1_000_000_000_000_000)
  }
}
