import HTTP
import JSON
import Session
import Text
import World

/// The server of `service listen`, and the file that reports that it accepts requests.
final class ListenServer {
  let url: String
  private let server: any HTTPServer
  private let readyFile: String?
  private let session: Session

  init(
    _ options: ServiceListen.Options, key: Secret?, _ writer: WebhookWriter, _ notices: Mailbox<ListenNotice>,
    in session: Session
  ) throws {
    (self.session, readyFile) = (session, options.readyFile)
    server = try Self.open(options, key: key, writer, notices, in: session)
    url = (options.address ?? .loopback).url(port: server.address.port)
    do throws(SystemError) {
      try writeReadyFile()
    } catch {
      server.close()
      throw Problem(
        .outputFailed, "cannot write '\(options.readyFile ?? "")'", reason: error.description,
        hint: "Choose another --ready-file.")
    }
  }

  private static func open(
    _ options: ServiceListen.Options, key: Secret?, _ writer: WebhookWriter, _ notices: Mailbox<ListenNotice>,
    in session: Session
  ) throws -> any HTTPServer {
    var settings = ListenerSettings(address: LoopbackAddress(port: options.port))
    settings.interface = options.address?.description
    // With a key, requests through a tunnel are accepted, which name its host.
    settings.acceptsAnyHost = key != nil
    settings.rejectsInJSON = true
    settings.connectionLimit = 1000
    // As long as nginx: a request sent just as the server closes an idle connection would fail.
    settings.idleTime = .seconds(75)
    let clock = session.world.clock
    do {
      return try session.network.listener().open(settings) {
        WebhookResponder(key: key, clock: clock, writer: writer, notices: notices)
      }
    } catch let error as ListenerError {
      throw Problem(
        .refused, "cannot listen on \((options.address ?? .loopback).url(port: options.port))",
        reason: error.description,
        hint: error.isTaken
          ? "Another program listens there. Pass --port 0 for any free port." : "Choose another --port or --bind.")
    }
  }

  private func writeReadyFile() throws(SystemError) {
    guard let readyFile else { return }
    let row: JSONValue = [
      "url": .string(url), "webhooks_url": .string(url + WebhookPath.base),
      "pid": JSONValue(Int(session.world.processes.id)),
    ]
    try session.world.files.replace(readyFile, with: row.bytes + [UInt8(ascii: "\n")], mode: 0o600)
  }

  /// Receives no more webhooks, after the requests in flight have been answered.
  func close() {
    if let readyFile { try? session.world.files.remove(readyFile) }
    server.close()
  }
}
