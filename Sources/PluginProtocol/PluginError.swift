/// A JSON-RPC error with a message for the user: the response to a request that failed.
public struct PluginError: Error, Sendable, Equatable {
  /// The error numbers of JSON-RPC and of this protocol.
  public enum Number: Int, Sendable, CaseIterable {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case internalError = -32603
    /// The request was canceled by `$/cancel`.
    case cancelled = -32800
    /// Any other error; ``PluginError/code`` is more specific.
    case failed = -32000
  }

  /// One invalid parameter.
  public struct Detail: Sendable, Equatable {
    /// The name of the parameter.
    public var parameter: String?
    /// The problem with it.
    public var message: String?
    /// Creates a detail. At least one of the two values should be present.
    public init(parameter: String?, message: String?) { (self.parameter, self.message) = (parameter, message) }
  }

  /// A raw value of ``Number``, or any other number that was received.
  public var number: Int
  /// A description of the error, as a sentence without a period.
  public var message: String
  /// A code from the program's own table of errors, such as `unauthorized`. It determines the exit code.
  public var code: String?
  /// The reason for the error.
  public var reason: String?
  /// How to fix the error.
  public var hint: String?
  /// The number of seconds to wait before retrying.
  public var retryAfter: Int?
  /// The HTTP status of the service's response, if there was a response.
  public var status: Int?
  /// The invalid parameters, one by one.
  public var details: [Detail] = []
  /// An object whose members are added to the program's JSON error.
  public var extra: Value?
  /// A reference for experts, such as `(GrabID …)`. It is printed after the reason, on the same line.
  public var reference: String?

  /// Creates an error without a code from the table; users see `message`.
  public init(_ number: Number = .failed, _ message: String) {
    (self.number, self.message) = (number.rawValue, message)
  }

  /// Creates an error with a code.
  /// - Parameter code: a code from the program's table of errors: `not_found`, `unauthorized`, `network`, …
  public init(_ code: String, _ message: String, reason: String? = nil, hint: String? = nil) {
    self.init(.failed, message)
    (self.code, self.reason, self.hint) = (code, reason, hint)
  }

  /// The response to a canceled request.
  public static let cancelled = PluginError(.cancelled, "cancelled")
  /// The response to a request with an unknown method.
  public static func unknownMethod(_ method: String) -> PluginError {
    PluginError(.unknownMethod, "no method '\(method)'")
  }
  /// The response to a request with invalid parameters.
  public static func invalidParameters(_ message: String) -> PluginError {
    PluginError(.invalidParameters, message)
  }
}

extension PluginError {
  /// Reads the `error` of a response. Missing and malformed members are replaced by defaults.
  public init(reading value: Value) {
    number = value["code"]?.int ?? Number.failed.rawValue
    message = value["message"]?.string ?? "no reason was given"
    guard let data = value["data"] else { return }
    code = data["code"]?.string
    reason = data["reason"]?.string
    hint = data["hint"]?.string
    retryAfter = data["retry_after"]?.int(in: 0...31_536_000)
    status = data["status"]?.int.flatMap { 100...599 ~= $0 ? $0 : nil }
    details = (data["details"]?.array ?? []).map {
      Detail(parameter: $0["parameter"]?.string, message: $0["message"]?.string)
    }
    if let object = data["extra"], object.members != nil { extra = object }
    reference = data["reference"]?.string
  }

  /// The error as the `error` of a response.
  public var value: Value {
    var data: [(name: String, value: Value)] = []
    func add(_ name: String, _ value: Value?) { if let value { data.append((name: name, value: value)) } }
    add("code", code.map { Value($0) })
    add("reason", reason.map { Value($0) })
    add("hint", hint.map { Value($0) })
    add("retry_after", retryAfter.map { Value($0) })
    add("status", status.map { Value($0) })
    if !details.isEmpty {
      add("details", Value(details.map { ["parameter": Value($0.parameter), "message": Value($0.message)] }))
    }
    add("extra", extra)
    add("reference", reference.map { Value($0) })
    let error: Value = ["code": Value(number), "message": Value(message)]
    return data.isEmpty ? error : error.with("data", Value(members: data))
  }
}
