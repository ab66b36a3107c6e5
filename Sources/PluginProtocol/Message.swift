/// One message of the protocol: JSON-RPC 2.0, an object a line, no batches.
public enum Message: Sendable, Equatable {
  case request(id: MessageID, method: String, params: Value)
  case notification(method: String, params: Value)
  case response(id: MessageID, result: Value)
  /// An answer that says why there is none; without an id where the request's could not be read.
  case failure(id: MessageID?, error: PluginError)

  /// The longest message, its line feed not counted, in bytes.
  public static let limit = 16 << 20
  /// The most JSON values of one message. Each takes many times its length in memory: without this limit `[0,0,…]` of
  /// 16 MiB would take half a gigabyte.
  public static let valueLimit = 200_000

  /// Reads the object of one line. Members that are not known are ignored; missing `params` are an empty object.
  /// - Throws: ``MessageError``.
  public init(parsing line: [UInt8]) throws(MessageError) {
    guard line.count <= Self.valueLimit || Self.values(in: line) <= Self.valueLimit else { throw .tooManyValues }
    let value = try Value(parsing: line)
    guard value.members != nil else {
      throw .invalid(value.array == nil ? "a message is no object" : "batches are not part of this protocol", id: nil)
    }
    let id = value["id"].flatMap(MessageID.init)
    guard value["jsonrpc"]?.string == "2.0" else { throw .invalid("'jsonrpc' is not \"2.0\"", id: id) }
    let hasID = value["id"].map { !$0.isNull } ?? false
    if hasID, id == nil { throw .invalid("an id is neither a whole number nor a string", id: nil) }
    if let method = value["method"] {
      guard let method = method.string else { throw .invalid("a method is no string", id: id) }
      let params = value["params"] ?? .emptyObject
      guard params.members != nil || params.isNull else { throw .invalid("parameters are no object", id: id) }
      let given = params.isNull ? .emptyObject : params
      self = id.map { .request(id: $0, method: method, params: given) } ?? .notification(method: method, params: given)
    } else if let error = value["error"], !error.isNull {
      self = .failure(id: id, error: PluginError(reading: error))
    } else if let result = value["result"] {
      guard let id else { throw .invalid("an answer has no id", id: nil) }
      self = .response(id: id, result: result)
    } else {
      throw .invalid("neither a method nor an answer", id: id)
    }
  }

  /// How many values a JSON text has, found without building any. Every value but the first of an array or object follows a
  /// comma. Of what is not JSON it is some number.
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

  /// The message as it goes over the wire, its line feed included.
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

/// What ties an answer to its request: each side counts or names its own.
public enum MessageID: Sendable, Hashable {
  case number(Int)
  case text(String)

  /// Nil for anything but a whole number and a string.
  public init?(_ value: Value) {
    if let number = value.int {
      self = .number(number)
    } else if let text = value.string {
      self = .text(text)
    } else {
      return nil
    }
  }

  /// The id as it stands in a message.
  public var value: Value {
    switch self {
    case .number(let number): Value(number)
    case .text(let text): Value(text)
    }
  }
}

/// Why a line is no message.
public enum MessageError: Error, Sendable, Equatable {
  case notJSON(String)
  /// JSON, but no message; with its id where it has one.
  case invalid(String, id: MessageID?)
  /// Longer than ``Message/limit``.
  case tooLong
  /// More of them than ``Message/valueLimit``.
  case tooManyValues
}

extension MessageError: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .notJSON(let why): "not JSON: \(why)"
    case .invalid(let why, _): why
    case .tooLong: "a message is longer than \(Message.limit >> 20) MiB"
    case .tooManyValues: "a message has more than \(Message.valueLimit) values"
    }
  }

  /// What the other side is answered.
  public var answer: Message {
    switch self {
    case .notJSON: .failure(id: nil, error: PluginError(.parse, "\(self)"))
    case .invalid(_, let id): .failure(id: id, error: PluginError(.invalidRequest, "\(self)"))
    case .tooLong, .tooManyValues: .failure(id: nil, error: PluginError(.invalidRequest, "\(self)"))
    }
  }
}
