import HTTP
import Secrets

/// A recorded exchange reads as it was written; and of what is masked nothing known is left, and masking again changes nothing.
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
        return "it reads otherwise than it was written"
      }
    }
    // `$` stands for the secret, which no fuzzer would guess.
    let text = bytes.flatMap { $0 == UInt8(ascii: "$") ? Array(secret.utf8) : [$0] }
    var mask = ExchangeRedactor()
    mask.learn([Secret(parsing: secret)].compactMap(\.self))
    let masked = mask.masked(text)
    var place = masked.startIndex
    while let start = masked[place...].firstIndex(of: UInt8(ascii: "Z")) {
      if masked[start...].starts(with: secret.utf8) { return "the secret is still there" }
      place = start + 1
    }
    return again(masked) == masked ? nil : "masking again changes it"
  }
}
