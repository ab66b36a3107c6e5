package import PluginProtocol
import Time
package import World

/// Why a plugin did not do what it was asked.
package enum PluginSessionError: Error, Sendable, Equatable {
  case notStarted(SystemError)
  /// It answered with an error.
  case refused(PluginError)
  /// It says it is another plugin.
  case wrongName(String)
  case wrongVersion(String)
  /// It does not announce what was to be asked, or its manifest does not name it.
  case notAnnounced(method: String)
  case timeUp(method: String, limit: Duration)
  /// Something that is no message, or no answer to what was asked.
  case rubbish(String)
  case tooLong
  /// More of something than anybody can want.
  case flood(String)
  /// It ended; the exit status, or 128 + the signal's number. Nil where it closed its output and may still run.
  case died(status: Int32?)
  case cancelled
}

extension PluginSessionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notStarted(let error): "it cannot be started: \(SystemError.message(for: error.number))"
    case .refused(let error): error.message
    case .wrongName(let name): "it says that it is '\(name)'"
    case .wrongVersion(let version): "it speaks protocol '\(version)', which is none of those it was offered"
    case .notAnnounced(let method): "it does not offer '\(method)'"
    case .timeUp(let method, let limit): "it did not answer '\(method)' within \(limit.inSeconds)"
    case .rubbish(let why): "what it writes is no message: \(why)"
    case .tooLong: "it writes a message of more than \(Message.limit >> 20) MiB"
    case .flood(let what): "it sends too much: \(what)"
    case .died(let status?) where status > 128 && status < 160: "it was ended by signal \(status - 128)"
    case .died(let status?): "it ended with status \(status) before it answered"
    case .died(nil): "it closed its output before it answered"
    case .cancelled: "it was cancelled"
    }
  }
}

extension Duration {
  /// `2 s`, `250 ms`.
  var inSeconds: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
