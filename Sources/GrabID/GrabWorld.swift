package import HTTP
package import PluginProtocol
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
  package let requestTimeout: Duration

  package init(host: any GrabHost, http: HTTPClient, world: World) {
    (self.host, self.http, requestTimeout) = (host, http, http.policy.timeout)
    (clock, random, interruption) = (world.clock, world.random, world.interruption)
    (environment, files) = (world.environment, world.files)
  }

  package var now: Timestamp { clock.now() }
  /// Whether requests and changes are forbidden.
  var isDryRun: Bool { host.greeting.isDryRun }

  /// 256 random bits.
  func randomBytes() throws -> [UInt8] {
    let bytes = random.bytes(32)
    guard bytes.count == 32, Set(bytes).count > 1 else {
      throw GrabError(.noRandomBytes, "the system provided no random bytes")
    }
    return bytes
  }
}

/// The services of the program that runs the plugin, as ``PluginHost`` provides them: secrets, browser, listener, locks
/// and prompts. Tests provide them from memory.
///
/// Its methods throw ``PluginError``, or ``HostDisconnectedError`` after the program has closed the connection.
package protocol GrabHost: AnyObject {
  var greeting: Greeting { get }
  var timeLeft: Duration { get }
  func tidyUp<Result>(_ body: () throws -> Result) rethrows -> Result

  func credential(_ name: String) throws -> String?
  func takeCredential(_ name: String) throws -> String?
  func credentialNames(prefix: String) throws -> [String]
  func saveCredentials(_ values: [String: String], deleting names: [String], recovering: Bool) throws

  func acquireLock(_ name: String, timeout: Duration) throws
  func releaseLock(_ name: String) throws

  func bindRedirect(_ uri: String?, path: String) throws -> String
  func openRedirect(_ request: RedirectRequest) throws -> RedirectResult
  func finishRedirect(succeeded: Bool, _ message: String?) throws

  func waitForPerson(_ time: Duration) throws
  func prompt(_ message: String, secret: Bool) throws -> String
  func readInput(limit: Int) throws -> String
  func openBrowser(_ url: String) throws -> Bool
  func log(_ level: PluginHost.Level, _ message: String) throws
}

extension PluginHost: GrabHost {}

extension GrabHost {
  /// Whether the user can be prompted.
  var isInteractive: Bool { greeting.isInteractive }

  /// The time left for requests to the service. A part of the remaining time is reserved to report a timeout.
  var timeForRequests: Duration { timeLeft - min(.seconds(1), greeting.timeout / 10) }

  /// The time limit for the user's part of a sign-in: the timeout of one request, if the user set it. Otherwise nil,
  /// because a user takes longer than the default timeout of one request.
  var userTimeLimit: Duration? { greeting.timeout == Greeting().timeout ? nil : greeting.timeout }

  /// Writes credentials in one transaction.
  /// - Parameter areObtained: Whether the values were obtained with a single-use code or refresh token and cannot be
  ///   obtained again. They are saved even after Ctrl-C. If the store fails, they are saved in a recovery file, which
  ///   the error names.
  func save(_ values: [String: String], areObtained: Bool = false) throws {
    let change = { try self.saveCredentials(values, deleting: [], recovering: areObtained) }
    try areObtained ? tidyUp(change) : change()
  }

  /// Deletes credentials in one transaction, even after Ctrl-C: a pending login must not remain.
  func delete(_ names: [String]) throws {
    try tidyUp { try saveCredentials([:], deleting: names, recovering: false) }
  }

  /// Acquires a lock across processes. It is released when this process dies.
  func lock(_ name: String) throws { try acquireLock(name, timeout: timeForRequests) }
  /// Releases a lock, even after Ctrl-C.
  func unlock(_ name: String) throws { try tidyUp { try releaseLock(name) } }

  /// Reads the program's stdin to its end.
  func input() throws -> String {
    guard greeting.capabilities.contains("input") else {
      throw PluginError(
        "usage", "this program does not pass stdin to plugins",
        hint: "Pass the text in a file, or enter it on a terminal.")
    }
    return try readInput(limit: 65_536)
  }

  /// Opens a page or a link to another program; returns false if nothing could be started.
  func open(_ url: String) throws -> Bool {
    try greeting.capabilities.contains("browser") && openBrowser(url)
  }

  /// Prints a line for the user on stderr; with `debug`, only for `--verbose`.
  package func note(_ level: PluginHost.Level, _ text: String) {
    guard level != .debug || greeting.isVerbose else { return }
    // This fails only if the program has closed the connection and cannot receive the message.
    try? log(level, text)
  }
}

/// An interruption that is deferred while a single-use code or refresh token is exchanged. An interruption during the
/// exchange would lose the tokens in the response.
///
/// Unchecked: there is no guard, because only the plugin's main thread uses it.
package final class ShieldedInterruption: Interruption, @unchecked Sendable {
  private let base: any Interruption
  private var depth = 0

  package init(_ base: any Interruption) { self.base = base }

  package var isInterrupted: Bool {
    // Query the base even if shielded, because this drains its descriptor. Otherwise, each poll would return at once.
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
  /// Runs `body`, which exchanges a single-use value and saves the result, without interruption. Ctrl-C takes effect
  /// afterward. From then on, the program waits only a short time for the plugin.
  func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let shielded = interruption as? ShieldedInterruption else { return try body() }
    return try shielded.shield(body)
  }
}
