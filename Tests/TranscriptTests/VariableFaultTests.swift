import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Every environment variable that sets an option, with hostile values: invalid UTF-8, control characters, a hundred
/// kilobytes.
@Suite struct VariableFaultTests {
  static let values: [[UInt8]] = [
    [], [0xff, 0xfe], Array("\u{1b}]0;x\u{7}".utf8), Array("a\nb".utf8), Array("-".utf8), Array("--help".utf8),
    Array(repeating: 0x61, count: 100_000), Array(repeating: 0xff, count: 100_000),
  ]

  private static func names(in node: [String: Any]) -> [String] {
    let own = (node["options"] as? [[String: Any]] ?? []).compactMap { $0["environment"] as? String }
    return own + (node["subcommands"] as? [[String: Any]] ?? []).flatMap(names)
  }

  @Test func hostileVariablesDoNotCrash() throws {
    let home = Home()
    let tree = try #require(
      JSONSerialization.jsonObject(with: Data(home.run("help", "--json").output)) as? [String: Any])
    let names = Set(Self.names(in: tree)).union([
      "IFTTT_CONNECT_URL", "IFTTT_USER_TOKEN", "IFTTT_SERVICE_KEY", "NO_COLOR", "COLUMNS", "LC_ALL", "TERM",
      "HTTPS_PROXY",
      "SSL_CERT_FILE", "NO_PROXY",
    ])
    #expect(names.contains("IFTTT_PROFILE") && names.contains("IFTTT_INVITE_CODE"))
    for name in names {
      for value in Self.values {
        // env(1) passes on any bytes.
        let words = [Array("/usr/bin/env".utf8), Array("\(name)=".utf8) + value]
        let command = [Home.program, "connections", "show", "a", "--retries", "0", "--offline"].map { Array($0.utf8) }
        let streams = TemporaryFolder()
        let (out, errors) = (streams.write("out", ""), streams.write("err", ""))
        let id = try spawn(words + command, environment: home.environment) { actions in
          posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
          posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY, 0)
          posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY, 0)
        }
        let status = exitStatus(of: id)
        let said = streams.text("err") ?? ""
        let shown = String(decoding: value.prefix(20), as: UTF8.self).debugDescription
        #expect((0...8).contains(status), "\(name)=\(shown): \(said.prefix(300))")
        #expect(
          said.isSafeForTerminal && said.utf8.count < 20_000, "\(name)=\(shown): \(said.debugDescription.prefix(300))")
        #expect(status != 2 || (streams.text("out") ?? "").isEmpty)
      }
    }
    #expect(home.folder.names == [])
  }
}
