/// Random bytes from the system's generator (getrandom(2), arc4random_buf(3)).
package struct LiveRandom: RandomBytes {
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Each word costs a system call; a byte at a time would cost eight times as many.
    var bytes: [UInt8] = []
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
    }
    return bytes
  }
}
