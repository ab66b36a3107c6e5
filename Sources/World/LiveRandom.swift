/// Random bytes from the system's generator (getrandom(2), arc4random_buf(3)).
package struct LiveRandom: RandomBytes {
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
