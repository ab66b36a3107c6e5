import CommandLine
import HTTP
import JSON
import Session
import Store
import Text
import World

/// A sandbox server that is running, or was running when last contacted.
struct RunningServer: Sendable, Equatable {
  /// The base URL for clients.
  var url: String
  /// The base URL for programs on this machine.
  var localURL: String
  /// Nil for a server that this user did not start here.
  var pid: Int?
  /// The key that authorizes requests to its control endpoint.
  var key: String
  /// The environment variables that make a program use the server.
  var environment: JSONValue
  /// The path of its log, if it runs in the background.
  var log: String?

  static func newKey(_ random: any RandomBytes) -> String { random.bytes(24).hex }
}

/// The running servers of this user. Each has one file in the state folder, which only the user can read; an index
/// file lists them.
///
/// A server that stops removes only its own file, because it must not wait for a lock after an interruption.
struct RunningServers {
  let world: World
  let folder: String
  private var index: String { folder + "/sandbox-servers.json" }

  init(_ session: Session) throws {
    world = session.world
    folder = try session.store.directories.state
  }

  /// The path of the file with a server's key.
  func path(of url: String) -> String { "\(folder)/\(name(of: url))" }

  /// The path of the file that leads a browser to a server's inspector.
  func pagePath(of url: String) -> String { "\(path(of: url).dropLast(5)).html" }

  /// The name of the file: the port, which is enough for the usual addresses, after any other host.
  private func name(of url: String) -> String {
    let parts = url.split(separator: ":", omittingEmptySubsequences: false)
    let host = parts.dropFirst().dropLast().joined(separator: "-").utf8.filter { !"/[]".utf8.contains($0) }
    let prefix = ["127.0.0.1": "", "--1": "v6-"][String(decoding: host, as: UTF8.self)]
    return "sandbox-server-\(prefix ?? String(decoding: host, as: UTF8.self) + "-")\(parts.last ?? "").json"
  }

  /// All servers, most recently started last. Damaged files are skipped.
  func all() -> [RunningServer] {
    (json(index)?.array ?? []).compactMap { name in
      guard let name = name.string, !name.utf8.contains(UInt8(ascii: "/")), let entry = json("\(folder)/\(name)"),
        let url = entry["url"]?.string, let pid = entry["pid"]?.int, let key = entry["key"]?.string,
        let environment = entry["environment"], environment.object != nil
      else { return nil }
      return RunningServer(
        url: url, localURL: entry["local_url"]?.string ?? url, pid: pid, key: key, environment: environment,
        log: entry["log"]?.string)
    }
  }

  func add(_ server: RunningServer) throws {
    try world.files.makeFolder(folder)
    try update(server)
    try world.files.locked(index + ".lock") {
      let names = (all().map(\.url).filter { $0 != server.url } + [server.url]).map(name)
      try write(.array(names.map(JSONValue.string)), to: index)
    }
  }

  /// Writes the entry of a server.
  func update(_ server: RunningServer) throws(SystemError) {
    var entry: JSONObject = [
      "url": .string(server.url), "pid": JSONValue(server.pid), "key": .string(server.key),
      "environment": server.environment,
    ]
    if server.localURL != server.url { entry["local_url"] = .string(server.localURL) }
    entry["log"] = server.log.map(JSONValue.string)
    try write(.object(entry), to: path(of: server.url))
  }

  /// Removes the entry of a server, unless another server has replaced it.
  func removeIfUnchanged(_ server: RunningServer) {
    if all().contains(server) { remove(server) }
  }

  /// Removes the entry of a server. An entry that cannot be removed is recognized as stale when it is used.
  func remove(_ server: RunningServer) {
    for path in [path(of: server.url), pagePath(of: server.url)] {
      do throws(SystemError) { try world.files.remove(path) } catch {}
    }
  }

  private func json(_ path: String) -> JSONValue? {
    (try? world.files.readRegular(path, limit: 1 << 20)).flatMap { try? JSONValue(parsing: $0) }
  }

  private func write(_ json: JSONValue, to path: String) throws(SystemError) {
    try world.files.replace(path, with: json.bytes + [UInt8(ascii: "\n")], mode: 0o600)
  }
}

/// The selection of a running server.
struct ServerChoice: CommandOptions {
  var url: String?
  var controlKeyFile: String?

  static var flags: [Flag<ServerChoice>] {
    [
      .value("url", .baseURL.named("URL"), into: \.url, help: "URL of the server, if several are running"),
      .value(
        ControlKey.option, .file, into: \.controlKeyFile, isAdvanced: true,
        help: "Read the control key of the server at --url from this file, for a server in a container or elsewhere"),
    ]
  }
}

/// An HTTP client of a running server's control endpoint.
struct ServerControl {
  let server: RunningServer
  private let servers: RunningServers
  private let session: Session
  /// The URL of a server that a key file selects; nil for a server of this user, which is listed.
  private var selectedURL: WebURL?

  /// - Throws: `not_found` if no server is running, or none at the given URL; `usage` if several are running and none
  ///   is selected.
  init(_ choice: ServerChoice, in session: Session) throws {
    let servers = try RunningServers(session)
    (self.servers, self.session) = (servers, session)
    if let file = choice.controlKeyFile {
      (server, selectedURL) = try Self.selected(choice.url, keyFile: file, in: session)
      return
    }
    let all = servers.all()
    if let url = choice.url {
      let url = url.hasSuffix("/") ? String(url.dropLast()) : url
      guard let server = all.first(where: { $0.url == url }) else { throw Problem.noServer(at: url) }
      self.server = server
      return
    }
    // A killed server is still listed. It must not be selected, or make the selection ambiguous.
    let running = try all.count == 1 ? all : all.filter { try Self.counts(of: $0, servers, session) != nil }
    guard let last = running.last else { throw Problem.noServer(at: nil) }
    guard running.count == 1 else {
      throw Problem(
        .usage, "\(running.count) sandbox servers are running",
        hint: "Choose one with --url: \(running.map(\.url).joined(separator: ", ")).")
    }
    server = last
  }

  /// The server at a URL, which need not be listed.
  private static func selected(
    _ url: String?, keyFile: String, in session: Session
  ) throws -> (RunningServer, WebURL) {
    guard let url, !url.isEmpty else {
      throw Problem(
        .refused, "--\(ControlKey.option) needs --url", hint: "Pass the URL of the server whose key the file contains.")
    }
    let parsed = try session.network.plainHTTP.url(url.hasSuffix("/") ? String(url.dropLast()) : url, of: "--url")
    let key = try ControlKey.read(keyFile, in: session)
    let server = RunningServer(
      url: parsed.wire, localURL: parsed.wire, key: key.revealed, environment: .object(JSONObject()))
    return (server, parsed)
  }

  /// The server with the environment variables that make a program use it. Those of a server elsewhere are requested,
  /// and get the URL under which it was reached: it may not know the name or the port that leads to it.
  /// - Throws: `not_found` if the server does not respond.
  var describedServer: RunningServer {
    get throws {
      let status = try send(.get, "")
      guard selectedURL != nil else { return server }
      var server = server
      var environment = status["environment"]?.object ?? JSONObject()
      environment[EnvironmentVariable.allowHTTP.name] = nil
      for (name, value) in RunningServer.addresses(at: server.url) { environment[name] = .string(value) }
      server.environment = .object(environment)
      return server
    }
  }

  /// All servers that respond, most recently started last, and what they have done so far.
  static func running(in session: Session) throws -> [(server: RunningServer, counts: JSONValue)] {
    let servers = try RunningServers(session)
    return try servers.all().compactMap { server in
      try counts(of: server, servers, session).map { (server: server, counts: $0) }
    }
  }

  private init(_ server: RunningServer, _ servers: RunningServers, _ session: Session) {
    (self.server, self.servers, self.session) = (server, servers, session)
  }

  /// What the server has done so far; empty if it responds with an error. If it is gone, its entry is removed, and the
  /// result is nil.
  private static func counts(
    of server: RunningServer, _ servers: RunningServers, _ session: Session
  ) throws -> JSONValue? {
    do { return try ServerControl(server, servers, session).send(.get, "") } catch let problem as Problem {
      if problem.code == .interrupted { throw problem }
      if problem.code == .notFound { return nil }
    } catch HTTPError.interrupted { throw Problem.interrupted } catch {}
    return .object(JSONObject())
  }

  /// Sends a request to the control endpoint, and returns the JSON of the response.
  /// - Parameter path: The path relative to the control endpoint.
  /// - Throws: `not_found` if the server is gone; its entry is then removed.
  func send(
    _ method: HTTP.Method, _ path: String, query: [QueryItem] = [], body: JSONValue? = nil
  ) throws -> JSONValue {
    try exchange(method, SandboxControl.path + path, query: query, body: body).json
  }

  /// Calls `body` with the elements of a list that the server may send in several responses.
  func forEach(of path: String, query: [QueryItem], _ body: (JSONValue) throws -> Void) throws {
    var page = try exchange(.get, SandboxControl.path + path, query: query)
    while true {
      for element in page.json.array ?? [] { try body(element) }
      // The form of the header is the server's own: `<TARGET>; rel="next"`.
      guard let link = page.response.header("Link"), let end = link.firstIndex(of: ">") else { return }
      page = try exchange(.get, String(link[..<end].dropFirst()))
    }
  }

  /// The entry with this number in a view of the log.
  /// - Throws: `not_found` if no entry has the number.
  func entry(_ number: Int, in view: LogView) throws -> JSONValue {
    do { return try send(.get, "/\(view.rawValue)/\(number)") } catch let problem as Problem where problem.status == 404
    {
      throw Problem.noEntry(number)
    }
  }

  /// - Parameter target: The path and query, to which `query` is added.
  private func exchange(
    _ method: HTTP.Method, _ target: String, query: [QueryItem] = [], body: JSONValue? = nil
  ) throws -> (json: JSONValue, response: Response) {
    let base: WebURL
    do throws(WebURLError) {
      // A listed server is on this machine, whatever the address that it listens on.
      let origin = if let selectedURL { selectedURL } else { try WebURL.beforeHostCheck(server.localURL) }
      base = try WebURL(parsing: origin.wire + target, allowing: origin.plainHosts)
    } catch {
      throw Problem.noServer(at: server.url)
    }
    let http = session.network.loopback
    if selectedURL == nil { http.notePlainHTTP = nil }
    var headers = [Header("Accept", "application/json")]
    if let key = Secret(parsing: server.key) { headers.append(Header("Authorization", prefix: "Bearer ", secret: key)) }
    if body != nil { headers.append(Header("Content-Type", "application/json")) }
    let response: Response
    do throws(HTTPError) {
      response = try http.send(
        Request(method, query.isEmpty ? base : base.with(query), headers: headers, body: body?.bytes))
    } catch {
      // The name of a container exists only while it runs.
      guard case .transport(let failure, _, _) = error, [.connect, .resolve].contains(failure.kind) else { throw error }
      throw missing
    }
    switch response.status {
    case 200:
      if let json = try? JSONValue(parsing: response.body) { return (json, response) }
    case 401 where selectedURL != nil:
      throw Problem(
        .unauthorized, "the server at \(server.url) rejects the control key",
        hint: "Pass the file that the server was started with, with --\(ControlKey.option).", status: 401)
    case 401:
      // Another server, with another key, is listening at this URL.
      throw missing
    default: break
    }
    throw Problem(
      .badResponse, "unexpected response from the server at \(server.url)",
      reason: Redactor(Secret(parsing: server.key).map { [$0] } ?? []).redact(
        String(decoding: response.body.prefix(300), as: UTF8.self)),
      hint:
        "Check that \(ifttt: "sandbox env") prints this address and no other program listens on the port, or start "
        + "another server with \(ifttt: "sandbox start").",
      status: response.status
    )
  }

  /// The problem of a server that is gone. Its entry is removed.
  private var missing: Problem {
    guard selectedURL == nil else {
      return Problem(
        .notFound, "no sandbox server is running at \(server.url)",
        hint: "Check the URL, and that the server listens on an address that this machine can reach.")
    }
    servers.removeIfUnchanged(server)
    return Problem.noServer(at: server.url)
  }
}

extension Problem {
  static func noEntry(_ number: Int) -> Problem {
    Problem(
      .notFound, "the server's log has no entry \(number) here",
      hint: "List the entries with \(ifttt: "sandbox requests") and \(ifttt: "sandbox activity").")
  }

  static func noServer(at url: String?) -> Problem {
    Problem(
      .notFound, url.map { "no sandbox server is running at \($0)" } ?? "no sandbox server is running",
      hint: """
        Start one with \(ifttt: "sandbox start"). IFTTT_HOME and XDG_STATE_HOME must have the same values for both \
        commands. For a server in a container or elsewhere, pass --url and --\(ControlKey.option). Profile 'sandbox' \
        needs no server: \(ifttt: "--profile sandbox sandbox reset") resets it.
        """)
  }
}
