import Foundation
import HTTP
import Support

/// One of the servers in `Servers/`, running as a separate process until this object is released.
final class Server {
  struct Problem: Error { let words: String }

  /// One request as the server received it.
  struct Record: Decodable {
    var connection: Int?
    var head: String
    var body: String?

    var lines: [String] { head.components(separatedBy: "\r\n").filter { !$0.isEmpty } }
    var requestLine: String { lines.first ?? "" }
    func header(_ name: String) -> String? {
      let prefix = name.lowercased() + ":"
      return lines.first { $0.lowercased().hasPrefix(prefix) }
        .map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
    }

    /// Whether it has this body. Each byte is one character of the record.
    func hasBody(_ bytes: [UInt8]) -> Bool { body?.data(using: .isoLatin1) == Data(bytes) }
  }

  let folder: Folder
  let port: Int
  private let program: ChildProgram

  init(_ script: String, arguments: [String] = [], logs: Bool = true) throws {
    folder = try Folder()
    guard let scripts = Bundle.module.resourceURL?.appending(path: "Servers") else {
      throw Problem(words: "no Servers folder")
    }
    program = try ChildProgram(
      ["python3", scripts.appending(path: script).path, folder.path + (logs ? "/log" : "")] + arguments, input: .pipe,
      output: .pipe)
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let more = program.output?.availableData ?? Data()
      if more.isEmpty { throw Problem(words: "\(script) did not start") }
      line += more
    }
    guard let port = Int(String(decoding: line.dropLast(), as: UTF8.self)) else {
      throw Problem(words: "\(script) printed no port")
    }
    self.port = port
  }

  deinit {
    program.endInput()
    program.wait()
  }

  func url(_ path: String, host: String = "127.0.0.1", scheme: String = "http") throws -> WebURL {
    try WebURL(parsing: "\(scheme)://\(host):\(port)\(path)")
  }

  /// The requests received so far. Each is recorded before its response is sent.
  func records() throws -> [Record] {
    try text("log").split(separator: "\n").map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
  }

  func text(_ file: String) throws -> String { try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8) }
}

/// A new folder that is removed with its contents when this object is released.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory().trimmingSuffix("/") + "/ifttt-http-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
