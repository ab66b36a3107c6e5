import API
import Arguments
import CommandContext
import Connect
import HTTP
import PluginHost
import Store
import Time
import World

/// What the checks share: the session, and what was found out once for several of them.
final class DiagnosticContext {
  let session: Session
  private let deadline: Duration
  private var kept = Kept()

  private struct Kept {
    var findings: [StoreCheckResult]?
    var answers: [Base: Result<Response, HTTPError>]?
    var receivedAt: Timestamp?
  }

  /// - Parameter limit: for everything that asks the network.
  init(_ session: Session, limit: Duration) {
    self.session = session
    deadline = session.world.clock.monotonic() + limit
  }

  /// The hosts that the commands there are send to.
  static let basesInUse: [Base] = [.connect, .api]

  var world: World { session.world }

  /// What `store check` says of one of its subjects.
  func findings(_ subject: String) throws -> [StoreCheckResult] {
    if kept.findings == nil { kept.findings = try session.store.check() }
    return (kept.findings ?? []).filter { $0.check == subject }
  }

  /// Where others can use what is kept, nothing in it is opened, and that is what to put right first.
  func waitForPermissions() throws -> CheckResult? {
    try findings("permissions").allSatisfy(\.passed) ? nil : .skipped("it waits for 'permissions'")
  }

  /// After a repair.
  func forgetFindings() { kept.findings = nil }

  /// Why the network is not asked; nil where it is.
  var networkIsOut: String? {
    get throws {
      if try session.profileName.isSandbox { return "the sandbox needs no network" }
      return session.options.isOffline || session.options.isDryRun ? "the network was not asked" : nil
    }
  }

  /// A client whose requests end in time.
  var http: HTTPClient {
    get throws {
      let http = try session.http
      let left = max(.milliseconds(1), deadline - world.clock.monotonic())
      http.policy = HTTPClient.Policy(timeout: left, retries: 0, jobs: session.options.jobs)
      return http
    }
  }

  /// A request that any HTTP server has some answer to.
  static func probe(_ url: WebURL) -> Request { Request(.head, url.path.isEmpty ? url.appendingSlash : url) }

  /// What each base URL in use answered, all asked at once; those that are no URL are left out.
  func answers() throws -> [Base: Result<Response, HTTPError>] {
    if let answers = kept.answers { return answers }
    let bases = Self.basesInUse.compactMap { base in (try? session.base(base)).map { (base, $0) } }
    var answers: [Base: Result<Response, HTTPError>] = [:]
    try http.send(bases.map { Self.probe($0.1) }) { place, result in
      answers[bases[place].0] = result
      if kept.receivedAt == nil, case .success = result { kept.receivedAt = world.clock.now() }
    }
    kept.answers = answers
    return answers
  }

  /// When the first of them came.
  var receivedAt: Timestamp? { kept.receivedAt }

  /// A file's path from a variable or the user's home folder; nil without one.
  func homePath(_ path: String) -> String? {
    world.environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/\(path)" }
  }

  /// An XDG folder of the user's own, without the program's name.
  func xdgFolder(_ variable: String, _ fallback: String) -> String? {
    if let path = world.environment[variable], path.hasPrefix("/") { return path }
    return homePath(fallback)
  }

  func exists(_ path: String) -> Bool { (try? world.files.facts(path)) != nil }

  func text(_ path: String) -> String? {
    (try? world.files.readRegular(path, limit: 4 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The trees that pages which came with the program can be made of: its own commands with those of the plugins that
  /// came with it, and its own alone.
  var releasedTrees: [CommandSchema] {
    [session.tree.ownSchema.with(session.plugins.bundledManifests), session.tree.ownSchema]
  }

  /// Writes files of the user's own, and the folders they stand in.
  func install(_ files: [(path: String, text: String)]) throws {
    for (path, text) in files {
      try world.files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
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

extension String {
  /// Whether another text stands in it, byte by byte.
  func holds(_ other: String) -> Bool {
    let (bytes, wanted) = (Array(utf8), Array(other.utf8))
    guard bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
  }
}
