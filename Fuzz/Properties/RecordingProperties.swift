import HTTP
import Text

/// A recorded exchange round-trips. Redacted text contains no known secret, and redacting it again changes nothing.
enum RecordingProperties {
  private static let secret = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"

  private static func again(_ masked: [UInt8]) -> [UInt8] {
    var mask = ExchangeRedactor()
    mask.learn([Secret(parsing: secret)].compactMap(\.self))
    return mask.masked(masked)
  }

  static func problem(in bytes: [UInt8]) -> String? {
    if let exchange = RecordedExchange(parsing: bytes) {
      guard RecordedExchange(parsing: exchange.bytes) == exchange else {
        return "it does not round-trip"
      }
    }
    // `$` stands for the secret, which a fuzzer would never guess.
    let text = bytes.flatMap { $0 == UInt8(ascii: "$") ? Array(secret.utf8) : [$0] }
    var mask = ExchangeRedactor()
    mask.learn([Secret(parsing: secret)].compactMap(\.self))
    let masked = mask.masked(text)
    var position = masked.startIndex
    while let start = masked[position...].firstIndex(of: UInt8(ascii: "Z")) {
      if masked[start...].starts(with: secret.utf8) { return "the secret is still present" }
      position = start + 1
    }
    return again(masked) == masked ? nil : "redacting again changes it"
  }
}
