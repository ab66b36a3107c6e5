/// The origin of a request, judged by its `Host` field.
///
/// A page that a browser loaded from elsewhere can make its own name resolve to this machine (DNS rebinding). Its
/// requests then carry that name. Only names of this machine are accepted. Any port is accepted, because the port may
/// be forwarded.
package enum HostField {
  /// - Parameter value: with or without a port.
  package static func isLoopback(_ value: String) -> Bool {
    let bytes = value.utf8
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), value[...end] == "[::1]" else { return false }
      return isPort(bytes[bytes.index(after: end)...])
    }
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    guard isPort(bytes[colon...]) else { return false }
    return value[..<colon].lowercased() == "localhost" || isLoopbackQuad(bytes[..<colon])
  }

  /// Whether the text is empty, or a colon and up to five digits.
  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    guard text.first != nil else { return true }
    let digits = text.dropFirst()
    return text.first == UInt8(ascii: ":") && digits.count <= 5 && digits.allSatisfy { isDigit($0) }
  }

  private static func isLoopbackQuad(_ text: Substring.UTF8View) -> Bool {
    let numbers = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard numbers.count == 4, numbers[0].elementsEqual("127".utf8) else { return false }
    return numbers.allSatisfy { number in
      number.allSatisfy(isDigit) && (number.first != UInt8(ascii: "0") || number.count == 1)
        && UInt8(Substring(number)) != nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
