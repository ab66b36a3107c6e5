#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The plugin's side of the message exchange: queued requests, the request in progress, and requests to the program.
final class Exchange {
  let wire: Wire
  /// The id of the request in progress.
  private(set) var current: MessageID?
  private var waiting: [Message] = []
  private var cancelled: Set<MessageID> = []
  private var responses: [Int: Result<Value, PluginError>] = [:]
  private var lastID = 0
  /// Whether requests are sent even if the request in progress was canceled, in order to clean up.
  var isTidying = false

  /// The start of the request in progress, moved forward by the time spent waiting for the user.
  private var began = Duration.zero

  init(_ wire: Wire) { self.wire = wire }

  /// The time that counts against the timeout of the request in progress.
  var elapsed: Duration { current == nil ? .zero : Wire.now() - began }

  /// The next request or notification; nil once the program has closed its end.
  func next() throws(HostDisconnectedError) -> Message? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard try receive(waits: true) else { return nil }
    }
  }

  /// Responds to one request with the result of `body`. A request that was canceled before it began is not started.
  func respond(to id: MessageID, _ body: () throws -> Value) throws(HostDisconnectedError) {
    (current, began) = (id, Wire.now())
    defer {
      current = nil
      cancelled.remove(id)
    }
    let response: Message
    do {
      if cancelled.contains(id) { throw PluginError.cancelled }
      response = .response(id: id, result: try body())
    } catch let error as PluginError {
      response = .failure(id: id, error: error)
    } catch let error as HostDisconnectedError {
      throw error
    } catch {
      response = .failure(id: id, error: PluginError(.internalError, String(describing: error)))
    }
    try send(response)
  }

  func send(_ message: Message) throws(HostDisconnectedError) { try wire.write(message.line) }

  var isCancelled: Bool {
    // Process the messages that have arrived, without waiting for more.
    while let hasReceived = try? receive(waits: false), hasReceived {}
    return current.map(cancelled.contains) ?? false || wire.isAbandoned
  }

  /// Sends a request and waits for its response. Requests that arrive meanwhile are queued.
  func request(_ method: String, _ params: Value) throws -> Value {
    if !isTidying, isCancelled { throw PluginError.cancelled }
    let start = Wire.now()
    defer { if HostService(rawValue: method)?.waitsForPerson == true { began += Wire.now() - start } }
    lastID += 1
    let id = lastID
    try send(.request(id: .number(id), method: method, params: params))
    while true {
      if let response = responses.removeValue(forKey: id) { return try response.get() }
      if !isTidying, current.map(cancelled.contains) ?? false { throw PluginError.cancelled }
      guard try receive(waits: true) else { throw HostDisconnectedError() }
    }
  }

  /// Receives one message. Returns false if the program has closed its end, or if `waits` is false and no message is
  /// available.
  private func receive(waits: Bool) throws(HostDisconnectedError) -> Bool {
    do throws(MessageError) {
      guard let line = try wire.line(waits: waits) else { return false }
      switch try Message(parsing: line) {
      case .notification("$/cancel", let params): if let id = params["id"].flatMap(MessageID.init) { cancel(id) }
      case .response(.number(let id), let result): responses[id] = .success(result)
      case .failure(.number(let id), let error): responses[id] = .failure(error)
      // A response to a request that was never sent.
      case .response, .failure: break
      case let message: waiting.append(message)
      }
    } catch {
      try send(error.response)
      // After a line that is too long, its rest cannot be distinguished from the next line.
      if error == .tooLong { throw HostDisconnectedError() }
    }
    return true
  }

  private func cancel(_ id: MessageID) {
    let isPending =
      id == current
      || waiting.contains { if case .request(id, _, _) = $0 { true } else { false } }
    if isPending { cancelled.insert(id) }
  }
}

/// A plugin's two pipes to the program, moved away from stdin and stdout. Otherwise a stray `print` or a
/// child process could write between the messages, or a child could read them.
final class Wire {
  private let input: Int32
  private let output: Int32
  private var framing = MessageFraming()
  private(set) var hasEnded = false

  /// Takes over stdin and stdout. From then on stdin is empty, and stdout goes to stderr.
  static func standard() -> Wire {
    let wire = Wire(input: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), output: fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))
    let null = open("/dev/null", O_RDONLY)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      if null > STDERR_FILENO { close(null) }
    }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return wire
  }

  init(input: Int32, output: Int32) { (self.input, self.output) = (input, output) }

  /// The next line; nil once the program has closed its end, or if `waits` is false and no line is available yet.
  func line(waits: Bool) throws(MessageError) -> [UInt8]? {
    while true {
      if let line = try framing.next() { return line }
      guard !hasEnded, waits || isReadable else { return nil }
      receive()
    }
  }

  /// - Throws: ``HostDisconnectedError`` if the program has closed its end.
  func write(_ bytes: [UInt8]) throws(HostDisconnectedError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { writeOnce(output, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        hasEnded = true
        throw HostDisconnectedError()
      }
    }
  }

  /// The monotonic time since an arbitrary moment in the past.
  static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// A descriptor that is readable while data is available.
  var arrivals: Int32 { input }

  /// Whether the program no longer reads.
  var isAbandoned: Bool {
    var entry = pollfd(fd: output, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR | POLLNVAL) != 0
  }

  private var isReadable: Bool {
    var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  private func receive() {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      repeat { count = readOnce(input, buffer.baseAddress, 1 << 16) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    if count > 0 { framing.append(bytes) } else { hasEnded = true }
  }
}

/// The program has closed its end: messages can no longer be delivered.
public struct HostDisconnectedError: Error, Sendable, Equatable {
  /// Creates the error.
  public init() {}
}

/// read(2) and write(2), outside the scope of the methods of the same names.
private func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
  read(descriptor, buffer, size)
}
private func writeOnce(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ size: Int) -> Int {
  write(descriptor, buffer, size)
}
