package import JSON
package import Text
package import World

/// The failure of a command: what happened, why, what to do next, and the exit code.
package struct Problem: Error, Sendable, Equatable {
  /// Stable error codes for scripts. New codes may be added; a code never changes its meaning.
  package enum Code: String, Sendable, CaseIterable {
    case refused, conflict, pending
    case confirmationRequired = "confirmation_required"
    case cannotUndo = "cannot_undo"
    case invalidParameters = "invalid_parameters"
    case neverEnabled = "never_enabled"
    case userCancelled = "user_cancelled"
    case accountCreationFailed = "account_creation_failed"
    case authorizationFailed = "authorization_failed"
    case unknownRedirect = "unknown_redirect"
    case stateMismatch = "state_mismatch"
    case notConfirmed = "not_confirmed"
    case pluginFailed = "plugin_failed"
    case outputFailed = "output_failed"
    case checksFailed = "checks_failed"
    case missingLibrary = "missing_library"
    case usage
    case notFound = "not_found"
    case credentialsMissing = "credentials_missing"
    case unauthorized, forbidden
    case network, timeout, tls
    case rateLimited = "rate_limited"
    case serverError = "server_error"
    case badResponse = "bad_response"
    case partial
    case storeLocked = "store_locked"
    case storeDamaged = "store_damaged"
    case storeForeign = "store_foreign"
    case storeNewer = "store_newer"
    case storeUnreadable = "store_unreadable"
    case storePermissions = "store_permissions"
    case storeFull = "store_full"
    case storeReadOnly = "store_read_only"
    case storeWrongKey = "store_wrong_key"
    case storeKeyMissing = "store_key_missing"
    case storeFailed = "store_failed"
    case notYet = "not_yet"
    case differs
    case notRecorded = "not_recorded"
    case interrupted

    package var exit: ExitCode {
      switch self {
      case .refused, .conflict, .pending, .confirmationRequired, .cannotUndo, .invalidParameters, .neverEnabled,
        .outputFailed, .notRecorded,
        .userCancelled, .accountCreationFailed, .authorizationFailed, .unknownRedirect, .stateMismatch, .notConfirmed,
        .pluginFailed, .checksFailed, .missingLibrary:
        .failure
      case .usage: .usage
      case .notFound: .notFound
      case .credentialsMissing, .unauthorized, .forbidden: .credentials
      case .network, .timeout, .tls, .rateLimited, .serverError, .badResponse: .unavailable
      case .partial: .partial
      case .storeLocked, .storeDamaged, .storeForeign, .storeNewer, .storeUnreadable, .storePermissions, .storeFull,
        .storeReadOnly, .storeWrongKey, .storeKeyMissing, .storeFailed:
        .store
      case .notYet, .differs: .notYet
      case .interrupted: .interrupted
      }
    }
  }

  /// One invalid parameter, or one item of a batch.
  package struct Detail: Sendable, Equatable {
    package var parameter: String?
    package var message: String?
    package init(parameter: String?, message: String?) {
      (self.parameter, self.message) = (parameter?.shortened(to: 1000), message?.shortened(to: 1000))
    }
  }

  package var code: Code
  /// What happened, as a sentence without a final period.
  package var message: String
  /// Why it happened, if known: IFTTT's own code and message if it sent them.
  package var reason: String?
  /// What to do next.
  package var hint: Hint?
  /// The HTTP status, if there was a response.
  package var status: Int?
  package var details: [Detail]
  /// IFTTT's id of the request, if it sent one.
  package var requestID: String?
  /// The number of attempts; nil if no request was sent.
  package var attempts: Int?
  /// In seconds, if the server sent `Retry-After`.
  package var retryAfter: Int?
  /// Whether no request was sent because an earlier request failed.
  package var isSkip = false
  /// Members that a plugin adds to the JSON line for scripts.
  package var extra: JSONObject = [:]
  /// A reference for experts, at the end of the line with the reason.
  package var reference: String?

  package init(
    _ code: Code, _ message: String, reason: String? = nil, hint: Hint? = nil, status: Int? = nil,
    details: [Detail] = []
  ) {
    self.code = code
    self.message = message.shortened(to: 1000)
    self.reason = reason?.shortened(to: 1000)
    // The limit leaves room for every field of a connection.
    self.hint = hint?.shortened(to: 16_000)
    self.status = status
    self.details = details
  }

  package static let interrupted = Problem(.interrupted, "interrupted")

  /// The message and the reason in one line.
  package var summary: String { reason.map { "\(message): \($0)" } ?? message }
}

extension World {
  /// - Throws: `interrupted` after Ctrl-C or SIGTERM.
  package func checkInterruption() throws(Problem) {
    if interruption.isInterrupted { throw Problem.interrupted }
  }

  /// Sleeps; a signal ends the sleep.
  /// - Throws: `interrupted` after Ctrl-C or SIGTERM.
  package func pause(for duration: Duration) throws(Problem) {
    clock.sleep(for: duration)
    try checkInterruption()
  }

  /// Sleeps between two polls of rows that are printed as they arrive. Without new rows nothing is written, so no write
  /// can reveal that the reader has closed the pipe.
  /// - Throws: `interrupted`, or `BrokenPipe` if the reader of stdout has closed it.
  package func pauseWhileFollowing(for duration: Duration) throws {
    try pause(for: duration)
    if output.isAbandoned { throw BrokenPipe() }
  }
}

extension Hint {
  /// A hint whose commands are never truncated: a command that does not fit is removed.
  func shortened(to limit: Int) -> Hint {
    var room = limit
    var shown: [Part] = []
    for part in parts where room > 0 {
      switch part {
      case .text(let text):
        shown.append(.text(text.shortened(to: room)))
        room -= text.utf8.count
      case .plugin(let text):
        shown.append(.plugin(text.shortened(to: room)))
        room -= text.utf8.count
      case .command(let command):
        room -= command.text.utf8.count
        if room >= 0 { shown.append(part) }
      case .verbatim(let text):
        room -= text.utf8.count
        if room >= 0 { shown.append(part) }
      }
    }
    return Hint(parts: shown)
  }
}

extension String {
  /// The beginning of text that may be megabytes long.
  func shortened(to limit: Int) -> String {
    unicodeScalars.count <= limit ? self : String(unicodeScalars.prefix(limit)) + "…"
  }
}

/// The exit status of the program. The numbers are stable for scripts.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case notFound = 3
  case credentials = 4
  case unavailable = 5
  case partial = 6
  case store = 7
  case notYet = 8
  case interrupted = 130

  /// The description in the man page and the README.
  package var meaning: String {
    switch self {
    case .success: "Success."
    case .failure: "Rejected or failed."
    case .usage: "Invalid command line."
    case .notFound: "No such connection, Applet, profile or token."
    case .credentials: "Credentials are missing or were not accepted."
    case .unavailable: "The network or the server failed; retrying may help."
    case .partial:
      """
      Part of a batch failed. If all items fail for the same reason, its exit code is used; if they fail for different \
      reasons, this one.
      """
    case .store: "The store is locked, damaged, unreadable, encrypted with another key, or newer than this program."
    case .notYet: "Condition not met: a wait timed out, or --exit-code found a difference."
    case .interrupted: "Interrupted."
    }
  }
}

/// An error that describes itself as a problem: what happened, why, what to do, and the exit code.
///
/// Each module converts its own errors; only ``Problem/from(_:)`` performs the conversion.
package protocol ProblemConvertible: Error {
  var problem: Problem { get }
}

extension Problem {
  /// The problem behind any error. An unexpected error is shown as an internal error, not as a wrong guess.
  package static func from(_ error: any Error) -> Problem {
    switch error {
    case let problem as Problem: problem
    case let error as any ProblemConvertible: error.problem
    default: Problem(.refused, "unexpected error", reason: String(describing: error))
    }
  }
}

/// Thrown if another process ran the command and has reported its error on stderr already.
package struct ReportedFailure: Error {
  package let exit: ExitCode
  package init(exit: ExitCode) { self.exit = exit }
}
