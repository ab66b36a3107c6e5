package import World

/// The value of `X-Request-ID`: 32 hexadecimal digits (reference: service-api.md, section 1).
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ random: any RandomBytes) {
    description = random.bytes(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
