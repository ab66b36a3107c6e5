import Foundation
import Testing

/// What a program prints for an input, or nil, loudly, where it is not installed.
func run(_ name: String, _ arguments: [String], input: String) throws -> Data? {
  let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
  guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
    print("skipped: needs \(name)")
    return nil
  }
  // A file for the input, as a pipe would have to be filled while the answer is read.
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appendingPathComponent("input")
  try Data(input.utf8).write(to: file)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardInput = try FileHandle(forReadingFrom: file)
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let answer = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return answer
}
