import Support
import Testing

@testable import World

@Suite struct ScratchFileTests {
  private let folder = TemporaryFolder()
  private let files = LiveFiles(interruption: TestInterruption())

  /// The file has no name from the start, so that a killed program leaves nothing.
  @Test func theFileHasNoName() throws {
    let file = try files.scratchFile(in: folder.path)
    #expect(folder.names == [])
    try file.write([1, 2, 3], at: 5)
    #expect(try file.read(at: 0, count: 100) == [0, 0, 0, 0, 0, 1, 2, 3])
    #expect(try file.read(at: 6, count: 1) == [2])
    #expect(try file.read(at: 8, count: 1) == [])
    #expect(folder.names == [])
  }

  @Test func aMissingFolderIsAnError() {
    #expect(throws: SystemError.self) { try files.scratchFile(in: folder.path + "/missing") }
  }

  @Test func aReaderReturnsEachPieceAndTheEnd() throws {
    let reader = try files.reader(folder.write("text", "some text"))
    #expect(try reader.read(waits: false) == Array("some text".utf8))
    #expect(try reader.read(waits: false) == nil)
    #expect(try reader.read(waits: true) == nil)
  }
}
