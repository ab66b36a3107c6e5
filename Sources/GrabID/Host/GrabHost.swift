/// What the program that runs the plugin does for it: secrets, browser and listener, locks, the person at the terminal.
///
/// Every call may throw ``GrabError`` (the host's own words) or ``GrabCancellationError``.
package protocol GrabHost: AnyObject {
  /// Whether somebody can be asked.
  var isInteractive: Bool { get }

  func credential(_ name: String) throws -> String?
  /// Read and deleted in one transaction, so that of several takers one gets it.
  func takeCredential(_ name: String) throws -> String?
  /// Names that begin with `prefix`, of those there are.
  func credentialNames(prefix: String) throws -> [String]
  /// All of it in one transaction.
  /// - Parameter areObtained: whether the values came for something that works once, a code or a refresh token: where they
  ///   cannot be written they are to be saved elsewhere, and the failure says where.
  func changeCredentials(
    put values: [(name: String, value: String)], delete names: [String], areObtained: Bool) throws

  /// Opens a loopback listener before the address is made.
  /// - Parameter redirectURI: a fixed one; nil for a free port of 127.0.0.1.
  /// - Returns: the redirect URI with its port.
  func bindRedirect(_ redirectURI: String?, path: String) throws -> String
  /// Shows the address, opens it, and waits for the return that bears the state.
  func openRedirect(_ opening: RedirectOpening) throws -> HostRedirect
  /// Says on the page that still waits how the sign-in ended.
  func finishRedirect(success: Bool, message: String) throws

  /// Across processes; freed when this one dies.
  func acquireLock(_ name: String) throws
  func releaseLock(_ name: String) throws

  /// How long the user allows for a person's part of a sign-in; nil if that was not set.
  var personLimit: Duration? { get }
  /// Waits while a person does something elsewhere. Whoever waits for the command's answer waits longer by as much.
  func waitForPerson(seconds: Int) throws

  func prompt(_ message: String, isSecret: Bool) throws -> String
  func confirm(_ message: String) throws -> Bool
  /// Standard input of the program, to its end.
  func readInput() throws -> String
  /// Opens a page or another program's link; false where nothing could be started.
  func open(_ url: String) throws -> Bool
  /// A line for people, on standard error.
  func note(_ level: NoteLevel, _ text: String)
}

extension GrabHost {
  func changeCredentials(put values: [(name: String, value: String)], delete names: [String]) throws {
    try changeCredentials(put: values, delete: names, areObtained: false)
  }
}

package enum NoteLevel: String, Sendable { case debug, info, warning }

/// What the host needs to send a person to a page and wait for the return.
package struct RedirectOpening: Sendable {
  package var url: String
  package var redirectURI: String
  package var state: String
  /// The issuer whose `iss` the return must bear, nil where it need not bear any.
  package var issuer: String?
  package var opensBrowser: Bool
  /// Nil leaves it to the host.
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

/// What came back from the browser.
package struct HostRedirect: Sendable {
  package enum Way: String, Sendable { case listener, paste }
  /// The text behind `?`, as received.
  package var query: String
  package var way: Way
  package init(query: String, way: Way) { (self.query, self.way) = (query, way) }
}
