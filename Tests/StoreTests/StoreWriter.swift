import Foundation
import Support

/// A process of the program `store-writer`.
final class StoreWriter {
  private let program: ChildProgram

  /// Starts the process.
  /// - Parameter prefix: How the ids that it tracks begin; `rekey` to replace the key instead, `count` times.
  /// - Parameter toBeKilled: Whether the test kills the process. It then writes no coverage data, because a partial
  ///   record would corrupt the others.
  init(home: String, prefix: String, count: Int, toBeKilled: Bool = false) throws {
    let own = ProcessInfo.processInfo.environment
    program = try ChildProgram(
      [Self.folder.appendingPathComponent("store-writer").path, home, prefix, String(count)],
      environment: toBeKilled ? own.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 } : own, output: .pipe)
  }

  /// The folder next to the test bundle.
  private static var folder: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return (bundle?.bundleURL ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
  }

  /// Reads available output, waiting until there is some or the output ends.
  func readSome() -> String { String(decoding: program.output?.availableData ?? Data(), as: UTF8.self) }

  func readToEnd() -> String { String(decoding: program.output?.readDataToEndOfFile() ?? Data(), as: UTF8.self) }

  func kill() { program.kill() }

  func wait() -> Int32 { program.wait() }
}
