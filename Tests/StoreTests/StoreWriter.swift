import Foundation

/// The program `store-writer` as a process of its own.
final class StoreWriter {
  private let process = Process()
  private let output = Pipe()
  private var pending = Data()

  /// - Parameter toBeKilled: so that half a record of coverage cannot spoil those of the others.
  init(home: String, prefix: String, count: Int, toBeKilled: Bool = false) throws {
    process.executableURL = Self.folder.appendingPathComponent("store-writer")
    process.arguments = [home, prefix, String(count)]
    process.standardOutput = output
    if toBeKilled {
      process.environment = ProcessInfo.processInfo.environment.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
    }
    try process.run()
  }

  /// Beside the test bundle.
  private static var folder: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return (bundle?.bundleURL ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
  }

  /// What there is, waiting until there is something or the end.
  func readSome() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }

  func readToEnd() -> String { String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
