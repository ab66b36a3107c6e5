package import PluginProtocol
package import World

/// The reason why a plugin's request failed.
package enum PluginSessionError: Error, Sendable, Equatable {
  case notStarted(SystemError)
  /// The plugin responded with an error.
  case refused(PluginError)
  /// The plugin reported a different name than its manifest.
  case wrongName(String)
  case wrongVersion(String)
  /// The plugin does not advertise the method, or its manifest does not name it.
  case notAnnounced(method: String)
  case timeUp(method: String, limit: Duration)
  /// The plugin wrote something to stdout that is not a message.
  case stray(StrayOutput)
  /// The plugin sent a message that is not a valid response to the request.
  case rubbish(String)
  case tooLong
  /// The plugin exceeded a limit on the amount of data.
  case flood(String)
  /// The plugin ended; the exit status, or 128 + the signal's number. Nil if it closed its output and may still be
  /// running.
  case died(status: Int32?)
  case cancelled
}

extension PluginSessionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notStarted(let error): "it cannot be started: \(SystemError.message(for: error.number))"
    case .refused(let error): error.message
    case .wrongName(let name): "it reports the name '\(name)'"
    case .wrongVersion(let version): "it selected protocol '\(version)', which was not offered"
    case .notAnnounced(let method): "it does not offer '\(method)'"
    case .timeUp(let method, let limit): "it did not respond to '\(method)' within \(limit.inSeconds)"
    case .stray(let output): output.description
    case .rubbish(let why): "it wrote an invalid message: \(why)"
    case .tooLong: "it wrote a message of more than \(Message.limit >> 20) MiB"
    case .flood(let what): "it sent too much: \(what)"
    case .died(let status?) where status > 128 && status < 160: "it was killed by signal \(status - 128)"
    case .died(let status?): "it exited with status \(status) before it responded"
    case .died(nil): "it closed its stdout before it responded"
    case .cancelled: "it was canceled"
    }
  }
}

extension PluginSessionError {
  /// The error with the secrets masked in what it quotes.
  package func masked(_ mask: (String) -> String) -> PluginSessionError {
    if case .stray(let output) = self { .stray(output.masked(mask)) } else { self }
  }
}

extension Duration {
  /// The duration as text: `2 s`, `250 ms`.
  var inSeconds: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
