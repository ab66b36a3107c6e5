package import HTTP
package import World

/// The effects of the sign-in: the host, the network, the clock and the system's random generator.
package struct GrabWorld {
  package let host: any GrabHost
  package let http: HTTPClient
  package let clock: any Clock
  package let random: any RandomBytes
  package let interruption: any Interruption
  package let environment: Environment
  package let files: any Files
  /// The timeout of one request, retries included.
  package let callLimit: Duration
  /// The time that is left for requests before the program's own timeout; evaluated before each request.
  package var timeForCalls: () -> Duration = { .seconds(86_400) }
  /// Whether requests and changes are forbidden.
  package var isDryRun = false
  /// The user's language as a BCP 47 tag, for the service's pages.
  package var locale: String?

  package init(host: any GrabHost, http: HTTPClient, world: World) {
    (self.host, self.http, callLimit) = (host, http, http.policy.timeout)
    (clock, random, interruption) = (world.clock, world.random, world.interruption)
    (environment, files) = (world.environment, world.files)
  }

  package var now: Timestamp { clock.now() }

  /// 256 random bits.
  func randomBytes() throws -> [UInt8] {
    let bytes = random.bytes(32)
    guard bytes.count == 32, Set(bytes).count > 1 else {
      throw GrabError(.noRandomBytes, "the system provided no random bytes")
    }
    return bytes
  }
}

/// The services of the program that runs the plugin: secrets, browser, listener, locks and prompts.
///
/// Every method may throw ``GrabError`` (with the host's message) or ``GrabCancellationError``.
package protocol GrabHost: AnyObject {
  /// Whether the user can be prompted.
  var isInteractive: Bool { get }

  func credential(_ name: String) throws -> String?
  /// Reads and deletes a credential in one transaction, so that only one process gets it.
  func takeCredential(_ name: String) throws -> String?
  /// The names of the stored credentials that begin with `prefix`.
  func credentialNames(prefix: String) throws -> [String]
  /// Writes and deletes credentials in one transaction.
  /// - Parameter areObtained: whether the values were obtained with a single-use code or refresh token. If they
  ///   cannot be stored, they are saved elsewhere, and the error contains the location.
  func changeCredentials(
    put values: [(name: String, value: String)], delete names: [String], areObtained: Bool) throws

  /// Opens a loopback listener before the authorization URL is built.
  /// - Parameter redirectURI: a fixed redirect URI; nil for a free port of 127.0.0.1.
  /// - Returns: the redirect URI with its port.
  func bindRedirect(_ redirectURI: String?, path: String) throws -> String
  /// Shows the URL, opens it, and waits for the redirect with the state.
  func openRedirect(_ opening: RedirectOpening) throws -> HostRedirect
  /// Reports the outcome of the sign-in on the browser page, which is still loading.
  func finishRedirect(success: Bool, message: String) throws

  /// Acquires a lock across processes. It is released when this process dies.
  func acquireLock(_ name: String) throws
  func releaseLock(_ name: String) throws

  /// The user's time limit for the interactive part of a sign-in; nil if none was set.
  var personLimit: Duration? { get }
  /// Waits while the user acts elsewhere. The timeout of the command is extended by the same time.
  func waitForPerson(seconds: Int) throws

  func prompt(_ message: String, isSecret: Bool) throws -> String
  func confirm(_ message: String) throws -> Bool
  /// Reads the program's stdin to its end.
  func readInput() throws -> String
  /// Opens a page or a link to another program; returns false if nothing could be started.
  func open(_ url: String) throws -> Bool
  /// Prints a line for the user on stderr.
  func note(_ level: NoteLevel, _ text: String)
}

extension GrabHost {
  func changeCredentials(put values: [(name: String, value: String)], delete names: [String]) throws {
    try changeCredentials(put: values, delete: names, areObtained: false)
  }
}

package enum NoteLevel: String, Sendable { case debug, info, warning }

/// The data that the host needs to open a page and wait for the redirect.
package struct RedirectOpening: Sendable {
  package var url: String
  package var redirectURI: String
  package var state: String
  /// The issuer that the redirect must contain as `iss`; nil if none is required.
  package var issuer: String?
  package var opensBrowser: Bool
  /// The time limit; nil for the host's default.
  package var limit: Duration?
  package var serviceName: String
  package init(
    url: String, redirectURI: String, state: String, issuer: String?, opensBrowser: Bool,
    limit: Duration?, serviceName: String
  ) {
    (self.url, self.redirectURI, self.state, self.issuer) = (url, redirectURI, state, issuer)
    (self.opensBrowser, self.limit, self.serviceName) = (opensBrowser, limit, serviceName)
  }
}

/// The redirect that the host received.
package struct HostRedirect: Sendable {
  package enum Way: String, Sendable { case listener, paste }
  /// The text after `?`, as received.
  package var query: String
  package var way: Way
  package init(query: String, way: Way) { (self.query, self.way) = (query, way) }
}

/// An interruption that is deferred while a single-use code or refresh token is spent. Otherwise the tokens of the
/// response would be lost.
///
/// Unchecked: there is no guard, because the plugin talks to the program on one thread.
package final class ShieldedInterruption: Interruption, @unchecked Sendable {
  private let base: any Interruption
  private var depth = 0

  package init(_ base: any Interruption) { self.base = base }

  package var isInterrupted: Bool {
    // Always query the base: this drains its descriptor. Otherwise poll would return at once forever.
    let isInterrupted = base.isInterrupted
    return isInterrupted && depth == 0
  }

  package var descriptor: Int32 { base.descriptor }

  fileprivate func shield<Result>(_ body: () throws -> Result) rethrows -> Result {
    depth += 1
    defer { depth -= 1 }
    return try body()
  }
}

extension GrabWorld {
  /// Runs `body` without interruption. It spends a single-use value and saves the result; Ctrl-C takes effect
  /// afterwards. The program waits two seconds for this.
  func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let shielded = interruption as? ShieldedInterruption else { return try body() }
    return try shielded.shield(body)
  }
}
