package import World

/// The scripted contents of stdin.
package enum ScriptedInput {
  /// All bytes at once, as from a pipe; they can also be read line by line.
  case bytes([UInt8])
  /// Input typed on a terminal: lines, and secrets typed without echo. When either runs out, its input ends.
  case typed(lines: [String] = [], secrets: [String] = [])
  /// Ctrl-C instead of any input.
  case interrupted

  package static func text(_ text: String) -> ScriptedInput { .bytes(Array(text.utf8)) }
}

/// A stdin that follows a script.
package final class TestInput: Input {
  private var script: ScriptedInput?
  /// Lines typed ahead. They are read by the next prompts unless they are discarded.
  package var typedAhead: [String] = []
  /// A closure that runs while the program waits for several things at once. It receives the maximum wait.
  package var whileWaiting: ((_ limit: Duration, _ expectsInput: Bool) throws(InputError) -> WakeReason)?
  private let effects: Effects

  init(_ script: ScriptedInput?, _ effects: Effects) { (self.script, self.effects) = (script, effects) }

  deinit {
    switch script {
    case .bytes(let rest) where !rest.isEmpty: effects.unexpected("\(rest.count) bytes of input were not read")
    case .typed(let lines, _) where !lines.isEmpty: effects.unexpected("the lines \(lines) were not read")
    case .typed(_, let secrets) where !secrets.isEmpty:
      effects.unexpected("\(secrets.count) secrets were not read")
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
      effects.unexpected("all of stdin was read, but the test provides none")
      return []
    }
  }

  /// Return a few bytes at a time, so that readers must handle breaks anywhere.
  package func readSome() throws(InputError) -> [UInt8] {
    switch script {
    case .bytes(let bytes):
      script = .bytes(Array(bytes.dropFirst(7)))
      return Array(bytes.prefix(7))
    case .interrupted: throw .interrupted
    case .typed, nil:
      effects.unexpected("stdin was read, but the test provides none")
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
      effects.unexpected("a line was read, but the test provides no input")
      return nil
    }
  }

  package func readSecret(prompt: () -> Void) throws(InputError) -> String? {
    prompt()
    switch script {
    case .typed(let lines, var secrets):
      guard !secrets.isEmpty else { return nil }
      let secret = secrets.removeFirst()
      script = .typed(lines: lines, secrets: secrets)
      return secret
    case .interrupted: throw .interrupted
    case .bytes, nil:
      effects.unexpected("a secret was asked for, but the test provides none")
      return nil
    }
  }

  package func wait(
    for descriptor: Int32, expectsInput: Bool, atMost limit: Duration
  ) throws(InputError) -> WakeReason {
    guard let whileWaiting else {
      effects.unexpected("the program waited for several things, but the test provides none")
      throw .interrupted
    }
    return try whileWaiting(limit, expectsInput)
  }
}
