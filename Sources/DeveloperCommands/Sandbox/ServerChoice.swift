import CommandLine
import HTTP
import JSON
import Session
import Text
import World

/// The selection of a running server.
struct ServerChoice: Sendable {
  var url: String?

  static var flags: [Flag<ServerChoice>] {
    [.value("url", .baseURL.named("URL"), into: \.url, help: "URL of the server, if several are running")]
  }
}

/// An HTTP client of a running server's control endpoint.
struct ServerControl {
  let server: RunningServer
  private let servers: RunningServers
  private let session: Session

  /// - Throws: `not_found` if no server is running, or none at the given URL; `usage` if several are running and none
  ///   is selected.
  init(_ choice: ServerChoice, in session: Session) throws {
    let servers = try RunningServers(session)
    (self.servers, self.session) = (servers, session)
    let all = servers.all()
    if let url = choice.url {
      let wanted = url.hasSuffix("/") ? String(url.dropLast()) : url
      guard let server = all.first(where: { $0.url == wanted }) else { throw Problem.noServer(at: wanted) }
      self.server = server
      return
    }
    // A killed server is still listed. It must not make the selection ambiguous, and must not be selected.
    let running = try all.count == 1 ? all : all.filter { try Self.isRunning($0, servers, session) }
    guard let last = running.last else { throw Problem.noServer(at: nil) }
    guard running.count == 1 else {
      throw Problem(
        .usage, "\(running.count) sandbox servers are running",
        hint: "Choose one with --url: \(running.map(\.url).joined(separator: ", ")).")
    }
    server = last
  }

  private init(_ server: RunningServer, _ servers: RunningServers, _ session: Session) {
    (self.server, self.servers, self.session) = (server, servers, session)
  }

  /// Whether the server responds; even an error response counts. If it is gone, its entry is removed.
  private static func isRunning(_ server: RunningServer, _ servers: RunningServers, _ session: Session) throws -> Bool {
    do { _ = try ServerControl(server, servers, session).ask(.get, "") } catch let problem as Problem {
      if problem.code == .interrupted { throw problem }
      return problem.code != .notFound
    } catch HTTPError.interrupted { throw Problem.interrupted } catch {}
    return true
  }

  /// - Parameter path: The path relative to the control endpoint.
  /// - Throws: `not_found` if the server is gone; its entry is then removed.
  func ask(
    _ method: HTTP.Method, _ path: String, query: [QueryItem] = [], body: JSONValue? = nil
  ) throws -> JSONValue {
    let base: WebURL
    do throws(WebURLError) { base = try WebURL(parsing: server.url + SandboxControl.path + path) } catch {
      throw Problem.noServer(at: server.url)
    }
    var headers = [Header("Accept", "application/json")]
    if let key = Secret(parsing: server.key) { headers.append(Header("Authorization", prefix: "Bearer ", secret: key)) }
    if body != nil { headers.append(Header("Content-Type", "application/json")) }
    let response: Response
    do throws(HTTPError) {
      response = try session.network.loopback.send(
        Request(method, base.with(query), headers: headers, body: body?.bytes))
    } catch {
      guard case .transport(let failure, _, _) = error, failure.kind == .connect else { throw error }
      servers.forget(server)
      throw Problem.noServer(at: server.url)
    }
    switch response.status {
    case 200:
      if let json = try? JSONValue(parsing: response.body) { return json }
    case 401:
      // Another server, with another key, is listening at this URL.
      servers.forget(server)
      throw Problem.noServer(at: server.url)
    default: break
    }
    throw Problem(
      .badResponse, "unexpected response from the server at \(server.url)",
      reason: String(decoding: response.body.prefix(300), as: UTF8.self),
      hint: "Check that no other program listens on this port, or start another server with \(ifttt: "sandbox start").",
      status: response.status
    )
  }
}

extension Problem {
  static func noServer(at url: String?) -> Problem {
    Problem(
      .notFound, url.map { "no sandbox server is running at \($0)" } ?? "no sandbox server is running",
      hint:
        "Start one with \(ifttt: "sandbox start"). IFTTT_HOME and XDG_STATE_HOME must have the same values for both commands."
    )
  }
}
