import JSON
import World

extension JSONObject {
  /// A claim that must be a text if it is present.
  func text(_ name: String, _ check: IDTokenError.Check) throws(IDTokenError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.string else { throw IDTokenError(check, "\(name) is not a string") }
    return text
  }

  /// A claim that must be a time if it is present: seconds since 1970 as a number, integer or not, below 2⁵³.
  func moment(_ name: String, _ check: IDTokenError.Check) throws(IDTokenError) -> Timestamp? {
    guard let value = self[name] else { return nil }
    guard let seconds = value.double, seconds.isFinite, seconds >= 0, seconds < 0x1p53 else {
      throw IDTokenError(check, "\(name) is not a number of seconds")
    }
    return Timestamp(milliseconds: Int64((seconds * 1000).rounded(.down)))
  }

  /// `aud`: one text, or a non-empty list of texts.
  func audience() throws(IDTokenError) -> [String] {
    switch self["aud"] {
    case .string(let one): return [one]
    case .array(let several):
      let texts = several.compactMap(\.string)
      guard texts.count == several.count, !texts.isEmpty else {
        throw IDTokenError(.audience, "aud is not a list of strings")
      }
      return texts
    default: throw IDTokenError(.audience, "aud is missing or of the wrong type")
    }
  }
}
