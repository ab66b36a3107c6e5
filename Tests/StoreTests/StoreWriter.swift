import Foundation
import Support

/// The program `store-writer` as a process of its own.
final class StoreWriter {
  private let program: ChildProgram

  /// - Parameter toBeKilled: so that half a record of coverage cannot spoil those of the others.
  init(home: String, prefix: String, count: Int, toBeKilled: Bool = false) throws {
    let own = ProcessInfo.processInfo.environment
    program = try ChildProgram(
      [Self.folder.appendingPathComponent("store-writer").path, home, prefix, String(count)],
      environment: toBeKilled ? own.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 } : own, output: .pipe)
  }

  /// Beside the test bundle.
  private static var folder: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return (bundle?.bundleURL ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
  }

  /// What there is, waiting until there is something or the end.
  func readSome() -> String { String(decoding: program.output?.availableData ?? Data(), as: UTF8.self) }

  func readToEnd() -> String { String(decoding: program.output?.readDataToEndOfFile() ?? Data(), as: UTF8.self) }

  func kill() { program.kill() }

  func wait() -> Int32 { program.wait() }
}
