import Plugins

/// A list of checksums is read as sha256sum(1) documents it: the same lines, found by another rule, have the same
/// checksums. A file never has two of them, and the list is the same when it is written and read again.
enum ChecksumProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard let list = try? ChecksumList(parsing: bytes) else { return nil }
    guard let again = try? ChecksumList(parsing: list.bytes) else { return "a list that cannot be read again" }
    guard list.sums.allSatisfy({ again[$0.name] == $0.sha256 }), again.sums.count == list.sums.count else {
      return "a checksum that changes"
    }
    guard Set(list.sums.map(\.name)).count == list.sums.count else { return "a file with two checksums" }
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      guard let (sum, name) = rule(Array(line)) else { continue }
      guard list[name] == sum else { return "'\(name)' has another checksum" }
    }
    return nil
  }

  /// A line of ASCII: 64 digits, a space, a space or an asterisk, and a name.
  private static func rule(_ line: [UInt8]) -> (sum: String, name: String)? {
    let digits = line.prefix(64).map { $0 | 0x20 }
    guard line.count > 66, line.allSatisfy({ 0x20...0x7e ~= $0 }), line[64] == 0x20, [0x20, 0x2a].contains(line[65]),
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 })
    else { return nil }
    var name = line.dropFirst(66)
    while name.starts(with: Array("./".utf8)) { name = name.dropFirst(2) }
    guard !name.isEmpty else { return nil }
    return (String(decoding: digits, as: UTF8.self), String(decoding: name, as: UTF8.self))
  }
}
