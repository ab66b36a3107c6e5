import CommandContext
import Connect
import Hints
import World

/// Where what a watch sees goes, and what is done while it waits.
protocol WatchOutput: AnyObject {
  /// How long a pause may last until ``idle()`` is called again.
  var patience: Duration { get }
  /// An event, as soon as it is seen, while other requests may be under way.
  func take(_ event: ConnectionEvent) throws
  func tell(_ notice: ConnectionWatch.Notice) throws
  /// At the end of a round: nothing is under way.
  func settle() throws
  func idle() throws
}

extension ConnectionWatch.Notice {
  var words: String {
    switch self {
    case .failing(let problem): "Asking failed, and goes on: \(problem.summary)"
    case .recovered: "IFTTT answers again."
    }
  }
}

/// Prints each change as a row.
final class WatchLines: WatchOutput {
  // So often it is looked whether anyone still reads.
  let patience = Duration.seconds(1)
  private let session: Session
  private let showsPresent: Bool
  private let body: (UnsafeRawBufferPointer) throws -> Void

  /// - Parameter showsPresent: whether what was there when the watch began is printed too.
  init(_ session: Session, showsPresent: Bool, body: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    (self.session, self.showsPresent, self.body) = (session, showsPresent, body)
  }

  func take(_ event: ConnectionEvent) throws {
    guard showsPresent || event.kind != .present else { return }
    try event.row(at: session.world.clock.now()).withUnsafeBytes(body)
  }

  func tell(_ notice: ConnectionWatch.Notice) { session.note(Hint(notice.words)) }
  func settle() {}

  func idle() throws {
    if session.world.output.isAbandoned { throw BrokenPipe() }
  }
}

/// Runs a command for each change, one after the other, and passes on what it prints.
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

  func take(_ event: ConnectionEvent) {
    guard showsPresent || event.kind != .present else { return }
    queue.append((event, event.row(at: session.world.clock.now())))
  }

  func tell(_ notice: ConnectionWatch.Notice) { session.note(Hint(notice.words)) }

  /// Not before, since a request under way would wait for the command.
  func settle() throws {
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
      return session.note("\(words[0]) for connection '\(event.id)' (\(event.kind.rawValue)): \(error)")
    }
    if !result.output.isEmpty { try write(result.output) }
    guard result.status != 0 else { return }
    session.note(
      "\(words[0]) for connection '\(event.id)' (\(event.kind.rawValue)) ended with status \(result.status)")
  }
}

extension Duration {
  /// As good as none, and still short enough to be added to a time.
  fileprivate static var longest: Duration { .seconds(100 * 365 * 86_400) }
}
