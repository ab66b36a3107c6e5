import Foundation
import Properties
import Support
import Testing

/// Runs the fuzzer's findings with the test suite: each file of the corpora, and a hundred truncated and changed
/// variants of each.
@Suite struct CorpusTests {
  private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Fuzz/Corpora").standardized.path

  private static func files(of target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = "\(corpora)/\(target)"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      (name, Array(try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))))
    }
  }

  @Test func everyTargetHasACorpus() throws {
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: Self.corpora).sorted() == FuzzTarget.all.map(\.name).sorted())
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func everyCorpusFilePasses(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let files = try Self.files(of: name)
    #expect(files.count >= 5)
    for file in files {
      #expect(file.bytes.count <= 8192, "\(file.name) is too large to be committed")
      if let problem = target.problem(file.bytes) { Issue.record("\(name)/\(file.name): \(problem)") }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func everyChangedCorpusFilePasses(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for file in try Self.files(of: name) where !file.bytes.isEmpty {
      for _ in 0..<(target.isSlow ? 5 : 100) {
        var bytes = file.bytes
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.removeSubrange(index...)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 2:
          bytes.insert(contentsOf: Array("\"\\u{}[]:,=&%\0".utf8).shuffled(using: &generator).prefix(2), at: index)
        default: bytes.remove(at: index)
        }
        if let problem = target.problem(bytes) {
          Issue.record("\(name)/\(file.name), seed \(seed): \(problem): \(bytes)")
          return
        }
      }
    }
  }
}
