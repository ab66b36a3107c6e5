/// Comparison of texts byte by byte: Swift's `==` takes two spellings of one character for the same, as the Kelvin sign
/// and the letter K, and two parties of a protocol do not.
package enum ExactText {
  package static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  /// In a time that depends on their lengths alone, for values that a guesser may try: states, nonces, hashes.
  package static func sameInConstantTime(_ a: String, _ b: String) -> Bool {
    let (first, second) = (Array(a.utf8), Array(b.utf8))
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
