package import World

/// A program that is no process: it answers each line it is sent as a test says, and takes no time.
package final class ScriptedProgram: RunningProgram {
  /// Every line it was sent, without its line feed.
  package private(set) var lines: [String] = []
  package private(set) var inputIsClosed = false
  package private(set) var graceOfEnd: Duration?
  package var leftBehind = false
  private var events: [ProgramEvent] = []
  private var unfinished: [UInt8] = []
  private let clock: TestClock
  private let answer: (_ line: String) -> [ProgramEvent]

  /// - Parameters:
  ///   - clock: set forward by as much as is waited for while nothing comes.
  ///   - answer: what comes of a line. A program whose input is closed ends by itself.
  package init(clock: TestClock, answer: @escaping (_ line: String) -> [ProgramEvent]) {
    (self.clock, self.answer) = (clock, answer)
  }

  /// Whether ``next(atMost:noticesInterruption:)`` has something to tell at once.
  var hasEvents: Bool { !events.isEmpty || inputIsClosed || graceOfEnd != nil }

  /// Lets the time pass.
  func pass(_ time: Duration) { clock.advance(by: time) }

  /// What the program does of its own accord.
  package func act(_ events: [ProgramEvent]) { self.events += events }

  package func send(_ bytes: [UInt8]) {
    unfinished += bytes
    while let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: unfinished[..<end], as: UTF8.self)
      unfinished.removeSubrange(...end)
      lines.append(line)
      events += answer(line)
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
  /// One line of standard output.
  package static func line(_ text: String) -> ProgramEvent { .output(Array((text + "\n").utf8)) }
}
