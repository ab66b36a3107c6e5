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
    case .partial: "Part of a batch failed."
    case .store: "The store is locked, damaged, unreadable, encrypted with another key, or newer than this program."
    case .notYet: "Condition not met: a wait timed out, or --exit-code found a difference."
    case .interrupted: "Interrupted."
    }
  }
}
