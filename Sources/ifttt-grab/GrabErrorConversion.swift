import GrabID
import JSON
import PluginProtocol
import Text

extension GrabError {
  /// The error in the form that the program receives.
  var pluginError: PluginError {
    var error = PluginError(code.rawValue, message, reason: reason, hint: hint?.text)
    error.retryAfter = retryAfter
    error.status = status
    error.details = details.map { PluginError.Detail(parameter: $0.parameter, message: $0.message) }
    error.extra = ["grab_code": grab.map { Value($0.json) } ?? .null]
    error.reference = grab?.reference
    return error
  }
}

extension GrabError {
  /// The program's error about a redirect, with Grab's code for it.
  var ofRedirect: GrabError {
    switch code {
    case .unknownRedirect: GrabError(.foreignRedirect, message, reason: reason, hint: hint)
    case .stateMismatch: GrabError(.stateMismatch, message, reason: reason, hint: hint)
    case .timeout: GrabError(.redirectTimeout, message, reason: reason, hint: hint)
    default: self
    }
  }
}

extension Value {
  init(_ json: JSONValue) {
    guard let value = try? Value(parsing: json.bytes) else { preconditionFailure("JSON output must be valid JSON") }
    self = value
  }

  var json: JSONValue {
    guard let json = try? JSONValue(parsing: bytes) else { preconditionFailure("JSON output must be valid JSON") }
    return json
  }
}
