import Foundation
import Support
import Testing

@testable import Store

@Suite struct PrivateFilesTests {
  private let folder = TemporaryFolder()

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }
  private func text(_ name: String) throws -> String {
    String(decoding: try PrivateFiles.read(path(name), limit: 100), as: UTF8.self)
  }

  @Test func publishDoesNotReplaceAnExistingFile() throws {
    try PrivateFiles.create(path("temporary"), with: Array("new".utf8))
    try PrivateFiles.create(path("file"), with: Array("old".utf8))
    #expect(try !PrivateFiles.publish(path("temporary"), as: path("file")))
    #expect(try text("file") == "old")
    #expect(!PrivateFiles.exists(path("temporary")))
  }

  @Test func hardLinkAddsASecondName() throws {
    try PrivateFiles.create(path("file"), with: Array("one".utf8))
    try PrivateFiles.hardLink(path("file"), as: path("other"))
    #expect(try text("file") == "one")
    #expect(try text("other") == "one")
    #expect(throws: StoreError.self) { try PrivateFiles.hardLink(path("file"), as: path("other")) }
  }

  @Test func copyRequiresAFileAndANewTarget() throws {
    try PrivateFiles.create(path("file"), with: Array(repeating: UInt8(ascii: "x"), count: 3 << 20))
    try PrivateFiles.copy(path("file"), to: path("copy"))
    #expect(PrivateFiles.size(path("copy")) == 3 << 20)
    #expect(throws: StoreError.self) { try PrivateFiles.copy(path("file"), to: path("copy")) }
    #expect(throws: StoreError.self) { try PrivateFiles.copy(path("missing"), to: path("other")) }
    #expect(throws: StoreError.self) { try PrivateFiles.copy(folder.path, to: path("other")) }
    #expect(!PrivateFiles.exists(path("other")))
  }

  @Test func makeFolderFailsBelowAFile() throws {
    try PrivateFiles.create(path("file"), with: [])
    #expect(throws: StoreError.self) { try PrivateFiles.makeFolder(path("file/a/b")) }
    try PrivateFiles.makeFolder(path("a/b/c"))
    #expect(throws: StoreError.self) { try PrivateFiles.create(path("a"), with: []) }
  }
}
