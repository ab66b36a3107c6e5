package import Arguments
import Display
package import HTTP
import Hints
package import Listener
package import Secrets
package import Store
package import World

/// One run of one command: the given options and everything derived from them, computed on first use.
///
/// Help, versions and completions open no store, a fresh list creates no transport, and secrets are decrypted only
/// when a credential is needed.
package final class Session {
  package let world: World
  package let options: GlobalOptions
  package let provenance: [Provenance]
  /// The words of the command, for errors and pages: `["connections", "list"]`.
  package let path: [String]
  /// The commands, for pages, completion and suggestions.
  package let tree: CommandTree
  private let makeTransport: (World) -> any Transport
  private let makeListener: (() -> any LoopbackListener)?
  package let recording: Recording?
  package let replay: Replay?
  /// Arguments for an id that match nothing tracked; ``suggesting(_:)`` finds similar names.
  var unresolvedNames: [String] = []
  private var kept = Kept()
  /// The notice of a slow request.
  package private(set) lazy var slowRequestNotice = SlowRequestNotice(self)
  /// The progress bar of the running batch.
  package weak var progress: BatchProgressBar?

  /// The values computed so far.
  private struct Kept {
    var store: Store?
    var profileName: ProfileName?
    var profile: Profile?
    var http: HTTPClient?
    /// The values that higher modules store in the session, by type.
    var values: [ObjectIdentifier: Any] = [:]
    var readsInput = false
    var readSecrets: [CredentialName: Secret] = [:]
    var storedSecrets: [Secret]?
    var inviteCodes: Set<Secret> = []
  }

  package init(
    world: World, options: GlobalOptions, path: [String], provenance: [Provenance], tree: CommandTree,
    recording: Recording? = nil, replay: Replay? = nil, transport: @escaping (World) -> any Transport,
    listener: (() -> any LoopbackListener)? = nil
  ) {
    self.world = world
    self.options = options
    self.path = path
    self.provenance = provenance
    self.tree = tree
    self.recording = recording
    self.replay = replay
    makeTransport = transport
    makeListener = listener
  }

  package var store: Store {
    get throws {
      if let store = kept.store { return store }
      guard let places = AppDirectories(environment: world.environment) else {
        throw Problem(
          .storeUnreadable, "there is no folder for the program's files", reason: "neither HOME nor IFTTT_HOME is set",
          hint: "Set IFTTT_HOME to a folder that you can write to.")
      }
      let store = Store(places: places, world: world)
      store.askPassphrase = passphraseQuestion
      store.noteWait = { [unowned self] in note(Hint($0)) }
      kept.store = store
      return store
    }
  }

  /// The session's value of this type, created on first use. The module that owns the type adds a property to the
  /// session for it.
  package func cached<Value>(_ make: () throws -> Value) rethrows -> Value {
    if let value = kept.values[ObjectIdentifier(Value.self)] as? Value { return value }
    let value = try make()
    keep(value)
    return value
  }

  /// Sets the value that ``cached(_:)`` returns for its type.
  package func keep<Value>(_ value: Value) { kept.values[ObjectIdentifier(Value.self)] = value }

  /// Releases the store: a program that replaces this process must not hold it open.
  package func closeStore() { kept.store = nil }

  /// The profile of the option, the environment or `profile use`, or else `default`.
  package var profileName: ProfileName {
    get throws {
      if let name = kept.profileName { return name }
      let name = try options.profile ?? store.currentProfile().flatMap(ProfileName.init(parsing:)) ?? .standard
      kept.profileName = name
      return name
    }
  }

  /// - Throws: `not_found` if a named profile does not exist.
  package var profile: Profile {
    get throws {
      if let profile = kept.profile { return profile }
      let name = try profileName
      let found = try store.profile(name.description)
      guard found != nil || name == .standard || name.isSandbox else { throw noProfile(name) }
      let profile = found ?? Profile(name: name.description)
      kept.profile = profile
      return profile
    }
  }

  /// The client for all requests: retries, redirects, limits, and the trace of `--verbose`.
  package var http: HTTPClient {
    get throws {
      if let http = kept.http { return http }
      let transport: any Transport =
        if let replay {
          replay.transport
        } else if let file = try sandboxStateFile() {
          answeredHere(SandboxTransport(file, clock: world.clock))
        } else if options.isOffline {
          OfflineTransport()
        } else {
          makeTransport(world)
        }
      let policy = HTTPClient.Policy(timeout: options.timeout, retries: options.retries, jobs: options.jobs)
      var world = world
      world.random = recording?.jitter ?? replay?.jitter ?? world.random
      let http = HTTPClient(transport: recording?.recording(transport) ?? transport, world: world, policy: policy)
      if options.isVerbose { http.trace = { [unowned self] line in self.diagnose(line) } }
      http.otherSecrets = { [unowned self] in knownSecrets }
      if replay == nil { http.feedback = slowRequestNotice.feedback }
      kept.http = http
      return http
    }
  }

  /// Writes a note once that no request leaves the machine, because the trace contains IFTTT's URLs.
  private func answeredHere(_ transport: SandboxTransport) -> SandboxTransport {
    if options.isVerbose { diagnose(Self.sandboxNote) }
    return transport
  }

  /// A note for readers of URLs if the profile is the sandbox.
  static let sandboxNote = "Profile 'sandbox': the built-in emulator responds, and nothing leaves this machine."

  /// A client for one of this program's own servers on this machine, independent of the profile. It never retries.
  package var loopback: HTTPClient {
    let policy = HTTPClient.Policy(timeout: options.timeout, retries: 0, jobs: 1)
    let http = HTTPClient(transport: makeTransport(world), world: world, policy: policy)
    if options.isVerbose { http.trace = { [unowned self] line in self.diagnose(line) } }
    return http
  }

  /// A listener for requests from other programs.
  package func listener() throws -> any LoopbackListener {
    guard let makeListener else {
      throw Problem(.refused, "servers are not available here", hint: "Run the ifttt program itself.")
    }
    return makeListener()
  }

  /// Whether requests to IFTTT are forbidden. The sandbox runs on this machine and is always available.
  package var isCutOff: Bool { get throws { try options.isOffline && !profileName.isSandbox } }

  /// A secret that was read or typed earlier.
  func knownSecret(_ name: CredentialName) -> Secret? { kept.readSecrets[name] }

  /// A secret that was already read from a file, or else the result of `read`.
  func readOnce(_ name: CredentialName, _ read: () throws -> Secret) throws -> Secret {
    if let secret = kept.readSecrets[name] { return secret }
    let secret = try read()
    kept.readSecrets[name] = secret
    return secret
  }

  /// All credentials that this session could send, whether or not they were sent: a server may repeat any token that
  /// it issued.
  package var knownSecrets: [Secret] {
    let stored = kept.storedSecrets ?? storedSecrets()
    if !stored.isEmpty { kept.storedSecrets = stored }
    return givenSecrets + kept.readSecrets.values + kept.inviteCodes + stored
  }

  /// Adds an invite code that was given or is stored in the profile.
  package func remember(inviteCode: Secret) { kept.inviteCodes.insert(inviteCode) }

  /// The secrets in the store if it was opened. A store that cannot be read is reported elsewhere.
  private func storedSecrets() -> [Secret] {
    guard let store = kept.store, let profile = try? profileName.description else { return [] }
    return store.availableCredentials(profile: profile)
  }

  /// Reserves stdin for one option. A second reservation is an error, because stdin can be read only once.
  package func claimInput(for option: String) throws {
    guard !kept.readsInput else {
      throw Problem(
        .usage, "\(option): standard input is already read by another option",
        hint: "Pass a file to one of them.")
    }
    kept.readsInput = true
  }
}
