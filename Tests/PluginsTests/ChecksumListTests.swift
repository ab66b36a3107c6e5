import Plugins
import Testing

/// `SHA256SUMS`, as `sha256sum` and other programs write it.
@Suite struct ChecksumListTests {
  private static let one = String(repeating: "1", count: 64)
  private static let two = String(repeating: "a", count: 64)

  private func list(_ text: String) throws(PluginContentsError) -> ChecksumList {
    try ChecksumList(parsing: Array(text.utf8))
  }

  @Test func readsTextAndBinaryLines() throws {
    let list = try list("\(Self.one)  a.zip\r\n\(Self.two.uppercased()) *./b c.zip\n")
    #expect(list["a.zip"] == Self.one)
    #expect(list["b c.zip"] == Self.two)
    #expect(list["c.zip"] == nil)
  }

  @Test(arguments: ["nothing", "\(one) a.zip", "\(one)\ta.zip", "x\(one.dropFirst())  a.zip", "\(one)  ", "\(one)  ./"])
  func otherLinesAreRejected(line: String) {
    #expect(throws: PluginContentsError.self) { _ = try list("\(Self.two)  b.zip\n\(line)\n") }
  }

  /// Only line feeds and carriage returns end a line of sha256sum.
  @Test func namesMayContainUnicodesLineSeparators() throws {
    let list = try list("\(Self.one)  a\u{2028}b\n\(Self.two)  \u{85}\n")
    #expect(list["a\u{2028}b"] == Self.one)
    #expect(list["\u{85}"] == Self.two)
  }

  /// One of them must be wrong, and the order must not decide which.
  @Test func aFileHasOneChecksum() throws {
    #expect(throws: PluginContentsError.self) { _ = try list("\(Self.one)  a.zip\n\(Self.two)  ./a.zip\n") }
    #expect(try list("\(Self.one)  a.zip\n\(Self.one)  a.zip\n").sums.count == 1)
  }

  @Test func otherFilesStayWhenOneIsSet() throws {
    var list = try list("\(Self.one)  b.zip\n\(Self.one)  a.zip\n")
    list.set("b.zip", Self.two)
    #expect(String(decoding: list.bytes, as: UTF8.self) == "\(Self.one)  a.zip\n\(Self.two)  b.zip\n")
    #expect(try ChecksumList(parsing: list.bytes)["b.zip"] == Self.two)
  }
}
