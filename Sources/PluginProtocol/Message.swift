#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One message of the protocol: JSON-RPC 2.0, one object per line, no batches.
public enum Message: Sendable, Equatable {
  case request(id: MessageID, method: String, params: Value)
  case notification(method: String, params: Value)
  case response(id: MessageID, result: Value)
  /// An error response; without an id if the id of the request could not be read.
  case failure(id: MessageID?, error: PluginError)

  /// The maximum size of a message without its line feed, in bytes.
  public static let limit = 16 << 20
  /// The maximum number of JSON values in one message. Each value takes many times its length in memory, so the limit
  /// on the length alone does not limit the memory.
  public static let valueLimit = 200_000

  /// Reads the object of one line. Unknown members are ignored; missing `params` are an empty object.
  /// - Throws: ``MessageError``.
  public init(parsing line: [UInt8]) throws(MessageError) {
    guard line.count <= Self.valueLimit || Self.values(in: line) <= Self.valueLimit else { throw .tooManyValues }
    let value = try Value(parsing: line)
    guard value.members != nil else {
      throw .invalid(
        value.array == nil ? "a message is not an object" : "batches are not part of this protocol", id: nil)
    }
    let id = value["id"].flatMap(MessageID.init)
    guard value["jsonrpc"]?.string == "2.0" else { throw .invalid("'jsonrpc' is not \"2.0\"", id: id) }
    let hasID = value["id"].map { !$0.isNull } ?? false
    if hasID, id == nil { throw .invalid("an id is neither a whole number nor a string", id: nil) }
    if let method = value["method"] {
      guard let method = method.string else { throw .invalid("'method' is not a string", id: id) }
      let params = value["params"] ?? .emptyObject
      guard params.members != nil || params.isNull else { throw .invalid("'params' is not an object", id: id) }
      let parameters = params.isNull ? .emptyObject : params
      self =
        id.map { .request(id: $0, method: method, params: parameters) }
        ?? .notification(method: method, params: parameters)
    } else if let error = value["error"], !error.isNull {
      self = .failure(id: id, error: PluginError(reading: error))
    } else if let result = value["result"] {
      guard let id else { throw .invalid("a response has no id", id: nil) }
      self = .response(id: id, result: result)
    } else {
      throw .invalid("a message has no 'method', 'result' or 'error'", id: id)
    }
  }

  /// The number of values in a JSON text, counted without creating any. Every value except the first of an array or
  /// object follows a comma. For invalid JSON the number has no meaning.
  private static func values(in line: [UInt8]) -> Int {
    line.withUnsafeBufferPointer { bytes in
      var (count, isString, isEscaped) = (1, false, false)
      for byte in bytes {
        if isString {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isString = false
          }
        } else {
          switch byte {
          case UInt8(ascii: "\""): isString = true
          case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
          default: break
          }
        }
      }
      return count
    }
  }

  /// The message as sent, including its line feed.
  public var line: [UInt8] {
    var members: [(name: String, value: Value)] = [(name: "jsonrpc", value: "2.0")]
    switch self {
    case .request(let id, let method, let params):
      members += [
        (name: "id", value: id.value), (name: "method", value: Value(method)), (name: "params", value: params),
      ]
    case .notification(let method, let params):
      members += [(name: "method", value: Value(method)), (name: "params", value: params)]
    case .response(let id, let result):
      members += [(name: "id", value: id.value), (name: "result", value: result)]
    case .failure(let id, let error):
      members += [(name: "id", value: id?.value ?? .null), (name: "error", value: error.value)]
    }
    return Value(members: members).bytes + [UInt8(ascii: "\n")]
  }
}

/// The id that links a response to its request. Each side chooses its own ids.
public enum MessageID: Sendable, Hashable {
  case number(Int)
  case text(String)

  /// Reads an id; nil unless the value is an integer or a string.
  public init?(_ value: Value) {
    if let number = value.int {
      self = .number(number)
    } else if let text = value.string {
      self = .text(text)
    } else {
      return nil
    }
  }

  /// The id as a JSON value.
  public var value: Value {
    switch self {
    case .number(let number): Value(number)
    case .text(let text): Value(text)
    }
  }
}

/// The reason why a line is not a valid message.
public enum MessageError: Error, Sendable, Equatable {
  case notJSON(String)
  /// JSON, but not a message; with its id if it has one.
  case invalid(String, id: MessageID?)
  /// A message longer than ``Message/limit``.
  case tooLong
  /// A message with more values than ``Message/valueLimit``.
  case tooManyValues
}

extension MessageError: CustomStringConvertible {
  /// The problem in words.
  public var description: String {
    switch self {
    case .notJSON(let why): "not JSON: \(why)"
    case .invalid(let why, _): why
    case .tooLong: "a message is longer than \(Message.limit >> 20) MiB"
    case .tooManyValues: "a message has more than \(Message.valueLimit) values"
    }
  }

  /// The error response to send to the other side.
  public var response: Message {
    switch self {
    case .notJSON: .failure(id: nil, error: PluginError(.parse, "\(self)"))
    case .invalid(_, let id): .failure(id: id, error: PluginError(.invalidRequest, "\(self)"))
    case .tooLong, .tooManyValues: .failure(id: nil, error: PluginError(.invalidRequest, "\(self)"))
    }
  }
}

/// Splits a stream of bytes into lines, however the bytes arrive: split anywhere, several lines at once, or huge.
public struct MessageFraming: Sendable {
  private var buffer: [UInt8] = []
  /// The start of the next line, and the position up to which its end was searched.
  private var start = 0
  private var searched = 0
  private let limit: Int
  private static let retainedCapacity = 1 << 20

  /// Creates an empty buffer.
  /// - Parameter limit: The maximum length of a line, in bytes.
  public init(limit: Int = Message.limit) { self.limit = limit }

  /// The number of bytes in the incomplete line.
  public var waiting: Int { buffer.count - start }

  /// Appends received bytes.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if start == buffer.count, buffer.capacity > Self.retainedCapacity {
      // Release the memory of a huge line instead of reusing it for the small lines that follow.
      (buffer, start, searched) = ([], 0, 0)
    } else if start > 0 {
      buffer.removeFirst(start)
      (start, searched) = (0, searched - start)
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next complete line without its line feed; nil if there is none yet. Empty lines are skipped.
  /// - Throws: ``MessageError/tooLong``, also for each later call.
  public mutating func next() throws(MessageError) -> [UInt8]? {
    while let end = lineFeed() {
      let line = buffer[start..<end]
      guard line.count <= limit else { throw .tooLong }
      (start, searched) = (end + 1, end + 1)
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return Array(line) }
    }
    guard waiting <= limit else { throw .tooLong }
    return nil
  }

  private mutating func lineFeed() -> Int? {
    let index = buffer.withUnsafeBytes { bytes -> Int? in
      // Unlike a search of the standard library, this is fast in a debug build too, which the tests use.
      guard let base = bytes.baseAddress, let found = memchr(base + searched, 0x0a, bytes.count - searched) else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }
    searched = index ?? buffer.count
    return index
  }
}
