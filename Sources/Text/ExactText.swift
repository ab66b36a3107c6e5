/// Byte-by-byte comparison of text. Swift's `==` treats canonically equivalent characters as equal, such as the
/// Kelvin sign and the letter K. The two sides of a protocol do not.
package enum ExactText {
  package static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  /// Compares in a time that depends only on the lengths, for values that an attacker may guess: states, nonces,
  /// hashes.
  package static func sameInConstantTime(_ a: String, _ b: String) -> Bool {
    let (first, second) = (Array(a.utf8), Array(b.utf8))
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
