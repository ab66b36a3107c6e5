/// Why a request was not answered: a JSON-RPC error with what a person is told of it.
public struct PluginError: Error, Sendable, Equatable {
  /// JSON-RPC's numbers, and those of this protocol.
  public enum Number: Int, Sendable, CaseIterable {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case internalError = -32603
    /// The request was cancelled by `$/cancel`.
    case cancelled = -32800
    /// Anything else; ``PluginError/code`` says more.
    case failed = -32000
  }

  /// One parameter that is at fault.
  public struct Detail: Sendable, Equatable {
    /// Its name.
    public var parameter: String?
    /// What is wrong with it.
    public var message: String?
    /// One of the two at least should be given.
    public init(parameter: String?, message: String?) { (self.parameter, self.message) = (parameter, message) }
  }

  /// One of ``Number``, or whatever number the other side sent.
  public var number: Int
  /// What happened, as a sentence without a full stop.
  public var message: String
  /// A word of the program's own table of errors, `unauthorized`; it decides on the exit code.
  public var code: String?
  /// Why.
  public var reason: String?
  /// What to do about it.
  public var hint: String?
  /// In seconds: not to be tried again before.
  public var retryAfter: Int?
  /// The HTTP status, where there was one.
  public var status: Int?
  /// What is at fault, one by one.
  public var details: [Detail] = []
  /// An object whose members stand in the program's JSON error beside its own.
  public var extra: Value?
  /// What an expert looks for, put at the end of the line that says why: `(GrabID …)`.
  public var reference: String?

  /// An error that has no word of the table; a person reads `message`.
  public init(_ number: Number = .failed, _ message: String) {
    (self.number, self.message) = (number.rawValue, message)
  }

  /// - Parameter code: a word of the program's table of errors: `not_found`, `unauthorized`, `network`, …
  public init(_ code: String, _ message: String, reason: String? = nil, hint: String? = nil) {
    self.init(.failed, message)
    (self.code, self.reason, self.hint) = (code, reason, hint)
  }

  /// The answer to a request that was cancelled.
  public static let cancelled = PluginError(.cancelled, "cancelled")
  /// The answer to a request that is not known.
  public static func unknownMethod(_ method: String) -> PluginError {
    PluginError(.unknownMethod, "no method '\(method)'")
  }
  /// The answer to a request whose parameters cannot be used.
  public static func invalidParameters(_ why: String) -> PluginError { PluginError(.invalidParameters, why) }
}

extension PluginError {
  /// Reads the `error` of an answer, whatever it is.
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
    if let given = data["extra"], given.members != nil { extra = given }
    reference = data["reference"]?.string
  }

  /// The `error` of an answer.
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
