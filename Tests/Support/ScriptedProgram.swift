package import World

/// A simulated program that responds to each line as the test specifies, without taking any time.
package final class ScriptedProgram: RunningProgram {
  /// Every line it received, without its line feed.
  package private(set) var lines: [String] = []
  package private(set) var inputIsClosed = false
  package private(set) var graceOfEnd: Duration?
  package var leftBehind = false
  private var events: [ProgramEvent] = []
  private var unfinished: [UInt8] = []
  private let clock: TestClock
  private let respond: (_ line: String) -> [ProgramEvent]

  /// - Parameters:
  ///   - clock: The clock to advance by each wait in which nothing happens.
  ///   - answer: The events after a line. When its input is closed, the program exits by itself.
  package init(clock: TestClock, answer: @escaping (_ line: String) -> [ProgramEvent]) {
    (self.clock, respond) = (clock, answer)
  }

  /// Whether ``next(atMost:noticesInterruption:)`` returns an event immediately.
  var hasEvents: Bool { !events.isEmpty || inputIsClosed || graceOfEnd != nil }

  /// Advance the clock.
  func pass(_ time: Duration) { clock.advance(by: time) }

  /// Add events that do not depend on a line.
  package func act(_ events: [ProgramEvent]) { self.events += events }

  package func send(_ bytes: [UInt8]) {
    unfinished += bytes
    while let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: unfinished[..<end], as: UTF8.self)
      unfinished.removeSubrange(...end)
      lines.append(line)
      events += respond(line)
    }
  }

  package func closeInput() { inputIsClosed = true }

  package func next(atMost limit: Duration, noticesInterruption: Bool) throws(SystemError) -> ProgramEvent {
    if !events.isEmpty { return events.removeFirst() }
    if inputIsClosed || graceOfEnd != nil { return .ended(status: 0) }
    clock.advance(by: limit)
    return .timeUp
  }

  package func end(grace: Duration) { graceOfEnd = grace }
}

extension ProgramEvent {
  /// One line of stdout.
  package static func line(_ text: String) -> ProgramEvent { .output(Array((text + "\n").utf8)) }
}
