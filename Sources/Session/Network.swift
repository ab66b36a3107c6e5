package import HTTP
package import IFTTT
import Store
package import Text
package import World

/// The requests of one run: clients, base URLs, and servers on this machine. No transport is created before the first
/// request.
package final class Network {
  let world: World
  let options: GlobalOptions
  let storage: StoreAccess
  private let credentials: CredentialAccess
  private let console: Console
  private let recording: Recording?
  private let replay: Replay?
  private let makeTransport: (World) -> any Transport
  private let makeListener: (() -> any LoopbackListener)?
  package let plainHTTP: PlainHTTP
  /// The identity of this installation in requests to the Connect API; nil while usage events are disabled.
  var identity: () -> SDKIdentity? = { nil }
  private var client: HTTPClient?

  init(
    _ credentials: CredentialAccess, _ storage: StoreAccess, _ console: Console, recording: Recording?, replay: Replay?,
    transport: @escaping (World) -> any Transport, listener: (() -> any LoopbackListener)?
  ) {
    (world, options) = (storage.world, storage.options)
    (self.credentials, self.storage, self.console) = (credentials, storage, console)
    (self.recording, self.replay) = (recording, replay)
    (makeTransport, makeListener) = (transport, listener)
    plainHTTP = PlainHTTP(storage, console)
  }

  /// The client for all requests: retries, redirects, limits, and the trace of `--verbose`.
  package var http: HTTPClient {
    get throws {
      if let http = client { return http }
      let transport: any Transport =
        if let replay {
          replay.transport
        } else if let file = try storage.sandboxStateFile() {
          reportingSandbox(SandboxTransport(file, world: world))
        } else if options.isOffline {
          OfflineTransport(world: world)
        } else {
          reportingKeyLog(makeTransport(world))
        }
      let http = recordedClient(
        transport, HTTPClient.Policy(timeout: options.timeout, retries: options.retries, jobs: options.jobs))
      if options.isVerbose { http.trace = { [console] line in console.diagnose(line) } }
      http.succeeded = { [credentials] in credentials.typed.noteSuccess(of: $0) }
      if try !storage.profileName.isSandbox { http.plainHosts = try plainHTTP.hosts }
      client = http
      return http
    }
  }

  /// Writes a note once that no request leaves the machine, because the trace contains IFTTT's URLs.
  private func reportingSandbox(_ transport: SandboxTransport) -> SandboxTransport {
    if options.isVerbose { console.diagnose(Self.sandboxNote) }
    return transport
  }

  /// Writes a note once that libcurl stores the keys of its connections.
  private func reportingKeyLog(_ transport: any Transport) -> any Transport {
    if let file = world.environment[.tlsKeyLog], !file.isEmpty {
      console.diagnose("\(EnvironmentVariable.tlsKeyLog) is set: libcurl writes the TLS keys to \(file).")
    }
    return transport
  }

  /// The note if the profile is the sandbox, whose printed URLs are IFTTT's.
  static let sandboxNote = "Profile 'sandbox': the built-in emulator responds, and nothing leaves this machine."

  /// A client for one of this program's own servers on this machine, independent of the profile. It never retries.
  package var loopback: HTTPClient { loopback(in: world) }

  /// The same client, except that a signal does not cancel its requests: the caller decides when they end.
  package var uninterruptedLoopback: HTTPClient {
    var world = world
    world.interruption = NoInterruption()
    return loopback(in: world)
  }

  private func loopback(in world: World) -> HTTPClient {
    let policy = HTTPClient.Policy(timeout: options.timeout, retries: 0, jobs: 1)
    let http = HTTPClient(transport: makeTransport(world), world: world, policy: policy)
    http.notePlainHTTP = plainHTTP.note
    if options.isVerbose { http.trace = { [console] line in console.diagnose(line) } }
    return http
  }

  /// Random bytes that are the same in a recorded run and its replay. They are not suitable for keys.
  package var reproducibleRandom: any RandomBytes { recording?.jitter ?? replay?.jitter ?? world.random }

  /// A client for the server that an argument names, independent of the profile. It follows no redirects, so that a
  /// test can report them. The caller shows the requests of `--verbose`.
  package func server(retries: Int) -> HTTPClient {
    var policy = HTTPClient.Policy(timeout: options.timeout, retries: retries, jobs: options.jobs)
    policy.redirects = nil
    return independent(policy)
  }

  /// A client for files at URLs that the user or an index named, independent of the profile. It follows redirects and
  /// sends no credentials.
  package private(set) lazy var downloads: HTTPClient = {
    let http = independent(
      HTTPClient.Policy(timeout: options.timeout, retries: options.retries, jobs: options.jobs))
    if options.isVerbose { http.trace = { [console] line in console.diagnose(line) } }
    return http
  }()

  private func independent(_ policy: HTTPClient.Policy) -> HTTPClient {
    let transport: any Transport =
      replay?.transport ?? (options.isOffline ? OfflineTransport(world: world) : makeTransport(world))
    return recordedClient(transport, policy)
  }

  /// A client that can be recorded and replayed.
  private func recordedClient(_ transport: any Transport, _ policy: HTTPClient.Policy) -> HTTPClient {
    var world = world
    world.random = reproducibleRandom
    let http = HTTPClient(transport: recording?.recording(transport) ?? transport, world: world, policy: policy)
    http.otherSecrets = { [credentials] in credentials.knownSecrets }
    if replay == nil {
      http.feedback = console.slowRequestNotice.feedback
      http.notePlainHTTP = plainHTTP.note
    }
    return http
  }

  /// Masks further credentials in the recording, which come from neither an option nor the store.
  package func learn(_ secrets: [Secret]) { recording?.learn(secrets) }

  /// A listener for requests from other programs.
  package func listener() throws -> any LoopbackListener {
    guard let makeListener else {
      throw Problem(.refused, "servers are not available here", hint: "Run the ifttt program itself.")
    }
    return makeListener()
  }

  /// Whether requests to IFTTT are forbidden. The sandbox runs on this machine and is always available.
  package var isOffline: Bool { get throws { try options.isOffline && !storage.profileName.isSandbox } }

  /// Reads the credential for requests to the Connect API, with the same prompts as ``connect(_:)``. Call it before
  /// starting providers, because their timeouts would run while a person types.
  package func read(_ credential: LocatedCredential) throws { if try !isOffline { _ = try connect(credential) } }

  package func connect(_ credential: LocatedCredential) throws -> ConnectClient {
    ConnectClient(caller: try caller(.connect, credential))
  }

  package func caller(_ base: BaseURL, _ credential: LocatedCredential) throws -> APIClient {
    let url = try self.base(base)
    let authentication = try credential.authentication()
    recording?.note(authentication.level)
    return APIClient(
      http: try http,
      template: RequestTemplate(
        base: url, authentication: authentication, from: authentication.secret.flatMap(credentials.origin),
        inviteCode: try credentials.inviteCode(credential.options.inviteCode),
        identity: base == .connect ? identity() : nil))
  }
}

extension Network {
  /// The URL from the environment, the profile, or IFTTT's default. The sandbox's URL is fixed.
  package func base(_ base: BaseURL) throws -> WebURL {
    let text: String
    let origin: String
    if try storage.profileName.isSandbox {
      (text, origin) = (base.standard, "sandbox")
    } else if let given = world.environment[base.variable], !given.isEmpty {
      (text, origin) = (given, base.variable.name)
    } else if let stored = try storage.profile.settings[base.setting] {
      (text, origin) = (stored, "profile '\(try storage.profileName)', \(base.setting.rawValue)")
    } else {
      (text, origin) = (base.standard, "built in")
    }
    do { return try plainHTTP.url(text).asBase } catch let error as WebURLError {
      throw Problem(
        .usage, "\(origin): not a usable base URL", reason: error.description,
        hint: plainHTTP.advice(error) ?? "It should look like \(base.standard).")
    }
  }
}
