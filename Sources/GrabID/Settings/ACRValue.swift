import Text

/// One pair of `acr_values` in Grab's form: `service:PASSENGER` (GC5: the key as typed).
package struct ACRValue: Sendable, Hashable {
  package let key: String
  package let value: String

  /// Creates a pair.
  /// - Throws: ``GrabError`` for a key or value that would change the meaning of the whole parameter.
  package init(key: String, value: String) throws(GrabError) {
    func bad(_ why: String) -> GrabError {
      GrabError(.badSetting, "--acr-value \(why)", hint: "Use KEY:VALUE, such as --acr-value service:PASSENGER.")
    }
    guard !key.isEmpty, !value.isEmpty else { throw bad("needs a key and a value") }
    guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }) else {
      throw bad("has a key with a space or a colon in it")
    }
    guard value.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else {
      throw bad("has a value with a space in it")
    }
    (self.key, self.value) = (key, value)
  }

  package init(parsing text: String) throws(GrabError) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    try self.init(key: halves[0], value: halves.count == 2 ? halves[1] : "")
  }

  package var text: String { "\(key):\(value)" }
}
