import Foundation
import JSON
import Support
import Testing

/// The script that adds the bundled plugin to a staged program, with the built programs and OpenSSH.
@Suite struct BundleScriptTests {
  private let folder: ScratchFolder
  private var program: String { "\(folder.path)/stage/bin/ifttt" }

  init() throws {
    folder = try ScratchFolder()
    let bin = folder.url.appending(path: "stage/bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    try FileManager.default.linkItem(atPath: BuiltProduct.path("ifttt"), toPath: program)
  }

  private func bundle(_ environment: [String: String] = [:]) throws {
    let script = try #require(Tool(path: Checkout.path("script/bundle")))
    let outcome = try script.run(
      [
        "stage", BuiltProduct.path("ifttt-grab"), Checkout.path("Sources/ifttt-grab/plugin.json"), "archives",
      ], in: folder, environment: environment.merging(sanitizerVariables) { given, _ in given })
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    let environment = sanitizerVariables.merging(["IFTTT_HOME": folder.path + "/home"]) { $1 }
    return try #require(Tool(path: program)).run(arguments, in: folder, environment: environment)
  }

  private func shown() throws -> JSONValue {
    try JSONValue(parsing: Array(run("plugin", "show", "grab", "--json").output.utf8))
  }

  @Test func withoutAKeyThePluginIsNotSigned() throws {
    // The caller's settings are not used.
    try bundle(["IFTTT_HOME": "/dev/null", "IFTTT_NO_PLUGINS": "1"])
    let shown = try shown()
    #expect(shown["status"]?.string == "bundled" && shown["signer"] == .null)
    #expect(shown["origin"]?.string == "included with the program, from a build that is not signed")
    #expect(try run("plugin", "verify").status == 0)
    #expect(try run("grab", "status").status == 4)
  }

  @Test(.enabled(if: Tool.isInstalled("ssh-keygen"), "skipped: needs ssh-keygen")) func aReleaseIsSigned() throws {
    let key = folder.path + "/key"
    let made = try Tool.required("ssh-keygen").run(["-q", "-t", "ed25519", "-N", "", "-f", key], in: folder)
    try #require(made.status == 0, "\(made.errors)")
    try bundle(["IFTTT_RELEASE_KEY": String(contentsOfFile: key, encoding: .utf8)])
    let shown = try shown()
    #expect(shown["origin"]?.string == "included with the program")
    #expect(shown["signer"]?.string == "ifttt-releases")
    let fingerprint = try Tool.required("ssh-keygen").run(["-l", "-f", key + ".pub"], in: folder).output
    #expect(fingerprint.split(separator: " ").dropFirst().first.map(String.init) == shown["signer_key"]?.string)
    // The archive is the one that would be published.
    let archives = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/archives").sorted()
    let archive = try #require(archives.last { $0.hasSuffix(".tar.gz") })
    #expect(archives == ["SHA256SUMS", archive, archive + ".sig"])
    let sums = try String(contentsOfFile: folder.path + "/archives/SHA256SUMS", encoding: .utf8)
    #expect(sums == "\(shown["archive_sha256"]?.string ?? "")  \(archive)\n")

    let file = folder.path + "/stage/libexec/ifttt/grab/plugin.json"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: "\"version\"", with: "\"version\" ").write(
      toFile: file, atomically: false, encoding: .utf8)
    #expect(try run("plugin", "verify").errors.contains("its files have changed since the program was built"))
  }
}
