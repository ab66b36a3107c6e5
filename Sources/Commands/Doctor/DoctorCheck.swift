import CommandLine
import HTTP
import IFTTT
import Plugins
import Session
import Store
import Text
import World

/// One check of `doctor`. To add one, write it in a file of this folder and add it to ``DoctorCheck/all``.
struct DoctorCheck {
  /// The name shown in the output.
  let name: String
  /// Whether the check is meaningless if the profile cannot be read.
  var needsProfile = false
  /// Performs the check without changing anything. A thrown error counts as a failure.
  let run: (DiagnosticContext) throws -> CheckResult

  /// All checks in the order in which they run. A check comes after the checks that it depends on.
  static var all: [DoctorCheck] {
    [
      .permissions, .store, .cache, .key, .libraries, .environment, .profile, .baseURLs, .proxy, .certificates,
      .network, .clock,
      .token, .serviceKey, .webhooksKey, .privacy, .plugins, .terminal, .completion, .manual,
    ]
  }
}

/// The result of a check.
struct CheckResult {
  enum Status: String, CaseIterable, OutputValue {
    case ok, warning, failure
    /// The check was not run; the finding gives the reason.
    case skipped
  }

  var status: Status
  var found: String
  /// A sentence that says what to do.
  var advice: Hint?
  /// The repair that `--fix` makes.
  var repair: Repair?

  static func ok(_ found: String) -> CheckResult { CheckResult(status: .ok, found: found) }
  static func skipped(_ found: String) -> CheckResult { CheckResult(status: .skipped, found: found) }
  static func warning(_ found: String, _ advice: Hint, repair: Repair? = nil) -> CheckResult {
    CheckResult(status: .warning, found: found, advice: advice, repair: repair)
  }
  static func failure(_ found: String, _ advice: Hint?, repair: Repair? = nil) -> CheckResult {
    CheckResult(status: .failure, found: found, advice: advice, repair: repair)
  }

  init(status: Status, found: String, advice: Hint? = nil, repair: Repair? = nil) {
    (self.status, self.found, self.advice, self.repair) = (status, found, advice, repair)
  }

  init(_ error: any Error) {
    let problem = Problem.from(error)
    self.init(status: .failure, found: problem.summary, advice: problem.hint)
  }
}

/// A safe change that makes a check pass.
struct Repair {
  /// A description of the change: a command, or a sentence without a period.
  let description: String
  let perform: () throws -> Void
}

/// The state that the checks share: the session, and results that several of them use.
final class DiagnosticContext {
  let session: Session
  private let deadline: Duration
  private var cachedFindings: [StoreCheckResult]?
  private var cachedResponses: [BaseURL: Result<Response, HTTPError>]?
  /// The time of the first response.
  private(set) var receivedAt: Timestamp?

  /// - Parameter limit: The time limit of all network requests together.
  init(_ session: Session, limit: Duration) {
    self.session = session
    deadline = session.world.clock.monotonic() + limit
  }

  /// The hosts that receive requests from the current commands.
  static let basesInUse: [BaseURL] = [.connect, .api]

  var world: World { session.world }

  /// The results of `store check` for one of its subjects.
  func findings(_ subject: String) throws -> [StoreCheckResult] {
    if cachedFindings == nil { cachedFindings = try session.store.check() }
    return (cachedFindings ?? []).filter { $0.check == subject }
  }

  /// A skipped result if other users can access the stored files, which must not be opened before the permissions are
  /// repaired; nil otherwise.
  func skippedForPermissions() throws -> CheckResult? {
    try findings("permissions").allSatisfy(\.passed) ? nil : .skipped("requires 'permissions' to pass")
  }

  /// Discards the cached findings after a repair.
  func discardFindings() { cachedFindings = nil }

  /// Why no network request is made; nil if requests are made.
  var offlineReason: String? {
    get throws {
      if try session.profileName.isSandbox { return "the sandbox needs no network" }
      return session.options.isOffline || session.options.isDryRun ? "the network is not used" : nil
    }
  }

  /// A client whose requests end before the deadline.
  var http: HTTPClient {
    get throws {
      let http = try session.network.http
      let remaining = max(.milliseconds(1), deadline - world.clock.monotonic())
      http.policy = HTTPClient.Policy(timeout: remaining, retries: 0, jobs: session.options.jobs)
      return http
    }
  }

  /// A HEAD request, to which every HTTP server responds.
  static func probe(_ url: WebURL) -> Request { Request(.head, url.path.isEmpty ? url.appendingSlash : url) }

  /// The responses of all base URLs in use, requested concurrently. Invalid URLs are skipped.
  func responses() throws -> [BaseURL: Result<Response, HTTPError>] {
    if let responses = cachedResponses { return responses }
    let bases = Self.basesInUse.compactMap { base in (try? session.network.base(base)).map { (base, $0) } }
    var responses: [BaseURL: Result<Response, HTTPError>] = [:]
    try http.send(bases.map { Self.probe($0.1) }) { index, result in
      responses[bases[index].0] = result
      if receivedAt == nil, case .success = result { receivedAt = world.clock.now() }
    }
    cachedResponses = responses
    return responses
  }

  /// The path of a file in the user's home folder; nil if `HOME` is not set.
  func homePath(_ path: String) -> String? {
    world.environment[.home].flatMap { $0.isEmpty ? nil : "\($0)/\(path)" }
  }

  /// An XDG folder of the user, without the program's name.
  func xdgFolder(_ variable: EnvironmentVariable, _ fallback: String) -> String? {
    if let path = world.environment[variable], path.hasPrefix("/") { return path }
    return homePath(fallback)
  }

  func exists(_ path: String) -> Bool { world.files.exists(path) }

  func text(_ path: String) -> String? {
    (try? world.files.readRegular(path, limit: 4 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The trees from which the released pages can be generated: the program's own commands with those of its bundled
  /// plugins, and its own commands alone.
  var releasedTrees: [CommandSchema] {
    [session.tree.ownSchema.with(session.plugins.discovery.bundledManifests), session.tree.ownSchema]
  }

  func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

  /// Writes files of the user, and creates their folders.
  func install(_ files: [(path: String, text: String)]) throws {
    for (path, text) in files {
      try world.files.makeFolder(folder(of: path))
      try world.files.replace(path, with: Array(text.utf8), mode: 0o644)
    }
  }
}

extension WebURL {
  fileprivate var appendingSlash: WebURL {
    var copy = self
    copy.path = "/"
    return copy
  }
}
