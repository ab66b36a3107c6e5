import HTTP
import JSON
import Output
import Session
import Text
import World

/// One of the running server's logs.
struct ServerLog<Record: OutputRecord> {
  let path: String
  let control: ServerControl
  let session: Session

  /// - Parameters:
  ///   - follows: whether to continue with new records until Ctrl-C.
  ///   - nothing: the note if no record matches.
  func output(_ filter: some LogFilter, follows: Bool, nothing: Hint) throws -> Output {
    let first = try records(filter)
    guard follows else {
      if first.isEmpty { session.console.noteEmpty(nothing) }
      return .rows(first.map(\.bytes), as: .many(Record.self))
    }
    let rows = Rows(isReiterable: false) { try follow(first, filter, $0) }
    return Output(body: .events(rows, .many(Record.self)))
  }

  private func records(_ filter: some LogFilter) throws -> [JSONValue] {
    try control.ask(.get, path, query: filter.query).array ?? []
  }

  private func follow(
    _ first: [JSONValue], _ filter: some LogFilter, _ show: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var filter = filter
    filter.last = nil
    var rows = first
    while true {
      for row in rows {
        filter.after = row["number"]?.int ?? filter.after
        try row.bytes.withUnsafeBytes(show)
      }
      session.world.clock.sleep(for: .milliseconds(300))
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      // Without new records nothing is written, so no write can reveal that the reader is gone.
      if session.world.output.isAbandoned { throw BrokenPipe() }
      rows = try records(filter)
    }
  }
}
