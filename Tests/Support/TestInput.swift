package import World

/// What a test lets come on standard input.
package enum ScriptedInput {
  /// All of it at once, as from a pipe; also read line by line.
  case bytes([UInt8])
  /// Typed on a terminal: lines, and what is typed without echo. Where one of them runs out, input ends.
  case typed(lines: [String] = [], secrets: [String] = [])
  /// Ctrl-C comes instead of any input.
  case interrupted

  package static func text(_ text: String) -> ScriptedInput { .bytes(Array(text.utf8)) }
}

/// Standard input that follows a script.
package final class TestInput: Input {
  private var script: ScriptedInput?
  /// Lines typed before anything is asked, which answer the next questions unless they are discarded.
  package var typedAhead: [String] = []
  /// What happens while the program waits for several things at once, with the longest it would wait.
  package var whileWaiting: ((_ limit: Duration, _ expectsInput: Bool) throws(InputError) -> WakeReason)?
  private let effects: Effects

  init(_ script: ScriptedInput?, _ effects: Effects) { (self.script, self.effects) = (script, effects) }

  deinit {
    switch script {
    case .bytes(let rest) where !rest.isEmpty: effects.unexpected("\(rest.count) bytes of input were not read")
    case .typed(let lines, _) where !lines.isEmpty: effects.unexpected("the lines \(lines) were not asked for")
    case .typed(_, let secrets) where !secrets.isEmpty:
      effects.unexpected("\(secrets.count) secrets were not asked for")
    default: break
    }
  }

  package func readAll(limit: Int) throws(InputError) -> [UInt8] {
    switch script {
    case .bytes(let bytes):
      script = .bytes([])
      guard bytes.count <= limit else { throw .tooLong(limit: limit) }
      return bytes
    case .interrupted: throw .interrupted
    case .typed, nil:
      effects.unexpected("all of standard input was read, but the test gave none")
      return []
    }
  }

  /// A few bytes at a time, so that whoever reads must cope with every kind of break.
  package func readSome() throws(InputError) -> [UInt8] {
    switch script {
    case .bytes(let bytes):
      script = .bytes(Array(bytes.dropFirst(7)))
      return Array(bytes.prefix(7))
    case .interrupted: throw .interrupted
    case .typed, nil:
      effects.unexpected("standard input was read, but the test gave none")
      return []
    }
  }

  package func discardTypeAhead() { typedAhead = [] }

  package func readLine() throws(InputError) -> String? {
    if !typedAhead.isEmpty { return typedAhead.removeFirst() }
    switch script {
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return nil }
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
      script = .bytes(Array(bytes.dropFirst(line.count + 1)))
      guard let text = String(validating: line, as: UTF8.self) else { throw .notUTF8 }
      return text
    case .typed(var lines, let secrets):
      guard !lines.isEmpty else { return nil }
      let line = lines.removeFirst()
      script = .typed(lines: lines, secrets: secrets)
      return line
    case .interrupted: throw .interrupted
    case nil:
      effects.unexpected("a line was read, but the test gave no input")
      return nil
    }
  }

  package func readSecret() throws(InputError) -> String? {
    switch script {
    case .typed(let lines, var secrets):
      guard !secrets.isEmpty else { return nil }
      let secret = secrets.removeFirst()
      script = .typed(lines: lines, secrets: secrets)
      return secret
    case .interrupted: throw .interrupted
    case .bytes, nil:
      effects.unexpected("a secret was asked for, but the test gave none")
      return nil
    }
  }

  package func wait(
    for descriptor: Int32, expectsInput: Bool, atMost limit: Duration
  ) throws(InputError) -> WakeReason {
    guard let whileWaiting else {
      effects.unexpected("several things were waited for, but the test gave none")
      throw .interrupted
    }
    return try whileWaiting(limit, expectsInput)
  }
}
