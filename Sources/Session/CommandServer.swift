package import HTTP
import Text
import World

/// A server that a command runs until the user stops it. Optionally, it writes a file once it accepts requests.
package final class CommandServer {
  private let server: any HTTPServer
  private let files: any Files
  private let readyFile: String?
  /// Whether this server wrote the file. A file of another server must not be removed.
  private var hasWrittenReadyFile = false

  /// Opens the server.
  /// - Parameters:
  ///   - url: the URL of the server, for error messages.
  ///   - addressOptions: the options that choose another address, such as `--port`.
  ///   - readyFile: the file that ``writeReadyFile(_:)`` writes; nil for none.
  /// - Throws: `refused` if the server cannot listen on its address.
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
          ? "Another program is listening there. Pass --port 0 for any free port."
          : Hint("Choose another \(addressOptions)."))
    }
  }

  /// The server's address. If any free port was requested, it contains the port that was chosen.
  package var address: LoopbackAddress { server.address }

  /// Writes one line of JSON to the ready file, if one was requested.
  /// - Throws: `output_failed` if it cannot be written.
  package func writeReadyFile(_ object: [UInt8]) throws(Problem) {
    guard let readyFile else { return }
    do throws(SystemError) {
      try files.replace(readyFile, with: object + [UInt8(ascii: "\n")], mode: 0o600)
      hasWrittenReadyFile = true
    } catch {
      throw Problem(
        .outputFailed, "cannot write '\(readyFile)'", reason: error.description, hint: "Choose another --ready-file.")
    }
  }

  /// Removes the ready file. Call this before shutting down anything that programs use after they have read the file.
  package func removeReadyFile() {
    guard hasWrittenReadyFile, let readyFile else { return }
    try? files.remove(readyFile)
    hasWrittenReadyFile = false
  }

  /// Removes the ready file, responds to the requests in flight, and stops the server.
  package func close() {
    removeReadyFile()
    server.close()
  }
}
