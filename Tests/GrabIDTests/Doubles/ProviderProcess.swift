import Foundation
import JSON
import Support

@testable import GrabID

/// A provider in its own process (django-oauth-toolkit by default), and the user's browser, simulated by curl.
///
/// Unchecked: all properties are set once.
final class ProviderProcess: @unchecked Sendable {
  /// One process for all tests that only sign in.
  static let shared = Result { try ProviderProcess() }

  let base: String
  private let program: ChildProgram

  /// oidc-provider-mock: no PKCE, no `kid`, `aud` as a list, error redirects without a state.
  static func mock() throws -> ProviderProcess { try ProviderProcess(script: "mock.py", []) }

  /// A hostile provider with a different fault for each path below its base.
  static func hostile() throws -> ProviderProcess { try ProviderProcess(script: "hostile.py", []) }

  convenience init(_ arguments: String...) throws {
    try self.init(script: "party.py", ["--device-interval", "1"] + arguments)
  }

  private init(script: String, _ arguments: [String]) throws {
    guard let python = PythonTools.python else { throw PythonTools.Failed(reason: PythonTools.requirement) }
    program = try ChildProgram(
      [python.path, PythonTools.scripts.appending(path: script).path] + arguments, input: .pipe, output: .pipe)
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let more = program.output?.availableData ?? Data()
      if more.isEmpty { throw PythonTools.Failed(reason: "\(script) did not start") }
      line += more
    }
    base = try JSONValue(parsing: Array(line.dropLast()))["base"]?.string ?? ""
  }

  deinit {
    program.endInput()
    program.wait()
  }

  var issuer: String { "\(base)/o" }
  var discovery: String { "\(issuer)/.well-known/openid-configuration" }
  var grabDiscovery: String { "\(base)/grabid/v1/oauth2/.well-known/openid-configuration" }

  /// Visits a URL as a user who is signed in, or as none, and returns the query of the redirect.
  func visit(_ url: String, as user: String?) throws -> String {
    let folder = try ScratchFolder()
    let jar = "\(folder.path)/cookies"
    if let user { try curl("-c", jar, "-d", "username=\(user)", "\(base)/signin") }
    let head = try curl("-i", "-b", jar, url)
    let location = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("location:") }
    guard let query = location?.split(separator: "?", maxSplits: 1).last, location?.contains("?") == true else {
      throw PythonTools.Failed(reason: "no redirect: \(head.prefix(300))")
    }
    return String(query)
  }

  @discardableResult
  func curl(_ arguments: String...) throws -> String { try curl(arguments) }

  func curl(_ arguments: [String]) throws -> String {
    let outcome = try Tool.required("curl").run(["-sS", "--noproxy", "*"] + arguments, in: ScratchFolder())
    guard outcome.status == 0 else { throw PythonTools.Failed(reason: outcome.errors) }
    return outcome.output
  }
}
