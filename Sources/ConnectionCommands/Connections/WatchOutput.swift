import IFTTT
import Session
import Text
import World

/// The destination of a watch's events, which also does work while the watch waits.
protocol WatchOutput: AnyObject {
  /// The longest pause until ``idle()`` is called again.
  var patience: Duration { get }
  /// Receives an event while other requests may still be in flight. The events of a round are in the order of the ids.
  func receive(_ event: ConnectionEvent) throws
  func report(_ notice: ConnectionWatch.Notice) throws
  /// Called at the end of a round, when no request is in flight.
  func flush() throws
  func idle() throws
}

extension ConnectionWatch.Notice {
  var words: String {
    switch self {
    case .failing(let problem): "Polling failed; retrying: \(problem.summary)"
    case .recovered: "IFTTT responds again."
    }
  }
}

/// Prints each change as a row.
final class WatchLines: WatchOutput {
  // How often to check whether the pipe still has a reader.
  let patience = Duration.seconds(1)
  private let session: Session
  private let showsPresent: Bool
  private let body: (UnsafeRawBufferPointer) throws -> Void

  /// - Parameter showsPresent: whether to print the initial state of each connection too.
  init(_ session: Session, showsPresent: Bool, body: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    (self.session, self.showsPresent, self.body) = (session, showsPresent, body)
  }

  func receive(_ event: ConnectionEvent) throws {
    guard showsPresent || event.kind != .present else { return }
    try event.row(at: session.world.clock.now()).withUnsafeBytes(body)
  }

  func report(_ notice: ConnectionWatch.Notice) { session.console.note(Hint(notice.words)) }
  func flush() {}

  func idle() throws {
    if session.world.output.isAbandoned { throw BrokenPipe() }
  }
}

/// Runs a command for each change, one at a time, and prints its output.
final class WatchCommand: WatchOutput {
  let patience = Duration.seconds(1)
  private let session: Session
  private let words: [String]
  private let showsPresent: Bool
  private let write: ([UInt8]) throws -> Void
  private var queue: [(event: ConnectionEvent, row: [UInt8])] = []

  init(_ session: Session, _ words: [String], showsPresent: Bool, write: @escaping ([UInt8]) throws -> Void) {
    (self.session, self.words, self.showsPresent, self.write) = (session, words, showsPresent, write)
  }

  func receive(_ event: ConnectionEvent) {
    guard showsPresent || event.kind != .present else { return }
    queue.append((event, event.row(at: session.world.clock.now())))
  }

  func report(_ notice: ConnectionWatch.Notice) { session.console.note(Hint(notice.words)) }

  /// Runs the commands only now, since a request in flight would have to wait for them.
  func flush() throws {
    let due = queue
    queue = []
    for (event, row) in due { try run(event, row) }
  }

  func idle() throws {
    if session.world.output.isAbandoned { throw BrokenPipe() }
  }

  private func run(_ event: ConnectionEvent, _ row: [UInt8]) throws {
    let result: ProcessResult
    do throws(SystemError) {
      // The user's own command may run this program again, so it receives every variable, as a Git hook does.
      result = try session.world.processes.run(
        words, input: row + [UInt8(ascii: "\n")], limit: .longest, seeing: .all)
    } catch {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      return session.console.note("\(words[0]) for connection '\(event.id)' (\(event.kind.rawValue)): \(error)")
    }
    if !result.output.isEmpty { try write(result.output) }
    guard result.status != 0 else { return }
    session.console.note(
      "\(words[0]) for connection '\(event.id)' (\(event.kind.rawValue)) ended with status \(result.status)")
  }
}

extension Duration {
  /// An effectively unlimited timeout that is still short enough to be added to a time.
  fileprivate static var longest: Duration { .seconds(100 * 365 * 86_400) }
}
