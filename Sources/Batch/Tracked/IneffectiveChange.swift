package import API
package import CommandContext
package import Connect
import Hints

extension Problem {
  /// The problem of a change that IFTTT accepted, but that the connection does not show.
  package static func ineffective(
    _ id: ConnectionID, _ status: UserStatus, code: Problem.Code = .refused
  ) -> Problem {
    Problem(
      code, "connection '\(id)' is still \(status.rawValue)",
      reason: "IFTTT accepted the request, but nothing changed",
      hint: "Try again, or open its page: \(ifttt: "connections open \(id)").")
  }
}
