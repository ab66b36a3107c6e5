package import HTTP
import Text
import World

/// The server that a command runs until it is stopped, and the file that reports that it accepts requests.
package final class CommandServer {
  private let server: any HTTPServer
  private let files: any Files
  private let readyFile: String?
  /// Whether the file was written. One that another server wrote is not removed.
  private var hasReported = false

  /// Opens the server.
  /// - Parameters:
  ///   - url: the name of the address in an error.
  ///   - addressOptions: the options that choose another address, such as `--port`.
  ///   - readyFile: the file that ``reportReady(_:)`` writes; nil for none.
  /// - Throws: `refused` if the address cannot be listened on.
  package init(
    _ settings: ListenerSettings, url: String, addressOptions: String, readyFile: String?, in session: Session,
    responder: @escaping @Sendable () -> any HTTPResponder
  ) throws {
    (files, self.readyFile) = (session.world.files, readyFile)
    do {
      server = try session.network.listener().open(settings, responder: responder)
    } catch let error as ListenerError {
      throw Problem(
        .refused, "cannot listen on \(url)", reason: error.description,
        hint: error.isAddressInUse
          ? "Another program listens there. Pass --port 0 for any free port."
          : Hint("Choose another \(addressOptions)."))
    }
  }

  /// The address, with the port that was chosen if any free one was requested.
  package var address: LoopbackAddress { server.address }

  /// Writes the file, with one line of JSON.
  /// - Throws: `output_failed` if it cannot be written.
  package func reportReady(_ object: [UInt8]) throws(Problem) {
    guard let readyFile else { return }
    do throws(SystemError) {
      try files.replace(readyFile, with: object + [UInt8(ascii: "\n")], mode: 0o600)
      hasReported = true
    } catch {
      throw Problem(
        .outputFailed, "cannot write '\(readyFile)'", reason: error.description, hint: "Choose another --ready-file.")
    }
  }

  /// Removes the file that was written, before anything that its readers need.
  package func withdrawReady() {
    guard hasReported, let readyFile else { return }
    try? files.remove(readyFile)
    hasReported = false
  }

  /// Removes the file, and receives no more requests, after those in flight have been answered.
  package func close() {
    withdrawReady()
    server.close()
  }
}
