/// The protocol versions that this library supports.
public enum ProtocolVersion {
  /// The newest version.
  public static let current = "1"
  /// All supported versions, in order of preference.
  public static let supported = [current]
}

/// The requests that a provider may support. A host sends only those that the provider announces.
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

  /// Whether the request only reads, even on a terminal. Users and scripts expect it to end, and to use neither the
  /// browser nor stdin, so the services that need the user are rejected meanwhile.
  package var isUnattended: Bool {
    switch self {
    case .listConnections, .showConnection, .credentialStatus, .complete: true
    default: false
    }
  }
}

/// The services that a plugin may request from the program while it processes a request.
package enum HostService: String, Sendable {
  case getCredential = "credential/get"
  case listCredentials = "credential/list"
  case saveCredentials = "credential/put"
  case deleteCredential = "credential/delete"
  case acquireLock = "lock/acquire"
  case releaseLock = "lock/release"
  case bindRedirect = "redirect/bind"
  case openRedirect = "redirect/open"
  case finishRedirect = "redirect/finish"
  case openBrowser = "browser/open"
  case readInput = "input/read"
  case prompt, confirm, wait

  /// Whether the service waits for the user: the timeout of the plugin's request is paused meanwhile.
  package var waitsForPerson: Bool {
    switch self {
    case .openRedirect, .prompt, .confirm, .readInput, .wait: true
    default: false
    }
  }

  /// Whether the service needs the user.
  package var needsPerson: Bool {
    waitsForPerson || [.bindRedirect, .finishRedirect, .openBrowser].contains(self)
  }

  /// Whether a plugin may still request the service while it ends a canceled request.
  package var isAllowedWhileTidying: Bool {
    [.saveCredentials, .deleteCredential, .releaseLock, .finishRedirect].contains(self)
  }
}

/// The program's description of itself and of this run, sent with `initialize`.
public struct Greeting: Sendable, Equatable {
  /// The protocol versions.
  public var versions = ProtocolVersion.supported
  /// The name of the program.
  public var hostName = "ifttt"
  /// The version of the program, in Semantic Versioning form.
  public var hostVersion = ""
  /// The profile in use, which selects a set of credentials. A plugin stores its data separately for each profile.
  public var profile = "default"
  /// A BCP 47 language tag, such as `en-US`.
  public var locale = "en-US"
  /// Whether the user can be prompted.
  public var isInteractive = false
  /// Whether network access is forbidden.
  public var isOffline = false
  /// Whether changes are forbidden.
  public var isDryRun = false
  /// Whether `--verbose` was passed.
  public var isVerbose = false
  /// The timeout of one request.
  public var timeout: Duration = .seconds(30)
  /// The services that the host provides: `credential`, `redirect`, `lock`, `prompt`, `confirm`, `input`, `browser`,
  /// `wait`, `progress`, `log`.
  public var capabilities = [
    "credential", "redirect", "lock", "prompt", "confirm", "input", "browser", "wait", "progress", "log",
  ]

  /// Creates a greeting with the default values.
  public init() {}

  /// Reads the parameters of `initialize`. Missing members have the defaults of ``init()``, or are not granted.
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
  /// The duration in milliseconds, rounded toward zero.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue)
      + Int(attoseconds / 1_000_000_000_000_000)
  }
}
