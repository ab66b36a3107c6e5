/// A line with one emphasized word, such as IFTTT in a footer.
enum Runs {
  struct Run: Equatable {
    var text: String
    var standsOut: Bool
  }

  static func around(_ word: String, in text: String) -> [Run] {
    let (bytes, wanted) = (Array(text.utf8), Array(word.utf8))
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: wanted) }) else {
      return [Run(text: text, standsOut: false)]
    }
    let parts = [
      Run(text: String(decoding: bytes[..<place], as: UTF8.self), standsOut: false),
      Run(text: word, standsOut: true),
      Run(text: String(decoding: bytes[(place + wanted.count)...], as: UTF8.self), standsOut: false),
    ]
    return parts.filter { !$0.text.isEmpty }
  }
}
