import Foundation
import Support

/// A program run to completion.
enum Tool {
  /// - Returns: its combined stdout and stderr, and its exit status.
  @discardableResult
  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> (output: String, status: Int32)
  {
    let program = try ChildProgram(
      arguments, environment: environment.merging(["PATH": path]) { own, _ in own }, output: .pipe, joinsErrors: true)
    let text = String(decoding: program.output?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
    return (text, program.wait())
  }

  static func exists(_ name: String) -> Bool {
    path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  private static var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/bin" }
}

/// A throwaway certificate authority, made with `openssl`.
final class Authority {
  private let folder: Folder
  private var issued = 0

  /// The authority's own certificate, in PEM.
  var certificate: String { "\(folder.path)/ca.pem" }

  init() throws {
    folder = try Folder()
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key", "-out",
      "ca.pem", "-days", "30", "-subj", "/CN=Throwaway \(UUID().uuidString)")
  }

  /// A server's certificate and key, as two paths.
  /// - Parameter names: as in `subjectAltName`: `DNS:localhost,IP:127.0.0.1`.
  func issue(_ names: String = "IP:127.0.0.1,DNS:localhost,DNS:service.example", days: Int = 30) throws -> [String] {
    issued += 1
    let (key, request, result) = ("\(issued).key", "\(issued).csr", "\(issued).pem")
    try "subjectAltName=\(names)\n".write(toFile: "\(folder.path)/\(issued).ext", atomically: true, encoding: .utf8)
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", request, "-subj",
      "/CN=server")
    try openssl(
      "x509", "-req", "-in", request, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "\(days)",
      "-extfile", "\(issued).ext", "-out", result)
    return ["\(folder.path)/\(result)", "\(folder.path)/\(key)"]
  }

  /// A folder that contains the authority's certificate.
  func certificateFolder(hashed: Bool) throws -> Folder {
    let folder = try Folder()
    try FileManager.default.copyItem(atPath: certificate, toPath: "\(folder.path)/authority.pem")
    if hashed { try Tool.run("openssl", "rehash", folder.path) }
    return folder
  }

  private func openssl(_ arguments: String...) throws {
    let status = try ChildProgram(["openssl"] + arguments, folder: folder.path, errors: .nothing).wait()
    guard status == 0 else { throw Server.Problem(words: "openssl \(arguments[0]) failed") }
  }
}
