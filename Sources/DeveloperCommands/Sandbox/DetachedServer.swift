import CommandLine
import JSON
import Session
import Text
import World

/// The server of `sandbox start --detach`: another process of this program, with a session and a log of its own.
struct DetachedServer {
  static let option = "--detach"
  private static let logPrefix = "sandbox-server-"
  private static let logSuffix = ".log"
  /// The age after which the log of a server is removed, unless the server is listed.
  private static let logAge = Duration.seconds(24 * 3600)

  private let session: Session
  private let servers: RunningServers

  init(_ session: Session) throws { (self.session, servers) = (session, try RunningServers(session)) }

  /// Starts the server, and returns once it accepts requests and the ready file is written.
  /// - Throws: ``ReportedFailure`` if the server ends first, after its messages are written to stderr.
  func start(readyFile: String?) throws -> RunningServer {
    let world = session.world
    let arguments = try arguments()
    try world.files.makeFolder(servers.folder)
    removeOldLogs()
    let log = "\(servers.folder)/\(Self.logPrefix)\(world.random.bytes(8).hex)\(Self.logSuffix)"
    // Start to observe interruptions now, so that Ctrl-C also ends a server that is not ready yet.
    try world.checkInterruption()
    let program: any BackgroundProgram
    do throws(SystemError) { program = try world.processes.startAgain(arguments, log: log) } catch {
      throw Problem(
        .refused, "the server cannot be started in the background", reason: error.description,
        hint: "Omit \(Self.option), and start it in the background with the shell.")
    }
    do {
      while true {
        if let status = program.status { throw failure(status, log: log) }
        if var server = servers.all().first(where: { $0.pid == Int(program.id) }), isWritten(readyFile, server) {
          server.log = log
          try servers.update(server)
          session.console.noteToPerson(
            "The server runs in the background; its log is \(log). To stop it, run: \(ifttt: "sandbox stop")")
          return server
        }
        try world.pause(for: .milliseconds(20))
      }
    } catch {
      program.end()
      throw error
    }
  }

  /// The arguments of this run, without the option.
  private func arguments() throws -> [String] {
    guard !session.provenance.contains(where: { $0.typed == "-" }) else {
      throw Problem(
        .usage, "\(Self.option) cannot be combined with '-'", reason: "a server in the background has no stdin",
        hint: "Pass a file.")
    }
    let own: [Int] = session.provenance.compactMap { item in
      guard item.option == Self.option, case .commandLine(let index, _) = item.source else { return nil }
      return index
    }
    return session.commandLine.indices.filter { !own.contains($0) }.map { session.commandLine[$0] }
  }

  private func isWritten(_ readyFile: String?, _ server: RunningServer) -> Bool {
    guard let readyFile else { return true }
    let bytes = try? session.world.files.readRegular(readyFile, limit: 1 << 20)
    return bytes.flatMap { try? JSONValue(parsing: $0) }?["pid"]?.int == server.pid
  }

  /// Writes the messages of a server that ended before it was ready.
  private func failure(_ status: Int32, log: String) -> any Error {
    let files = session.world.files
    let messages = (try? files.readRegular(log, limit: 1 << 20)) ?? []
    try? files.remove(log)
    guard !messages.isEmpty, let exit = ExitCode(rawValue: status), exit != .success else {
      return Problem(
        .refused, "the server ended before it was ready", reason: "its exit status was \(status)",
        hint: "Omit \(Self.option) to see its messages.")
    }
    session.console.writeError(String(decoding: messages, as: UTF8.self))
    return ReportedFailure(exit: exit)
  }

  private func removeOldLogs() {
    let files = session.world.files
    let oldest = (session.world.clock.now() - Self.logAge).milliseconds * 1_000_000
    let listed = Set(servers.all().compactMap(\.log))
    for name in (try? files.names(in: servers.folder)) ?? []
    where name.hasPrefix(Self.logPrefix) && name.hasSuffix(Self.logSuffix) {
      let path = "\(servers.folder)/\(name)"
      if !listed.contains(path), let status = try? files.status(path), status.modified < oldest {
        try? files.remove(path)
      }
    }
  }
}
