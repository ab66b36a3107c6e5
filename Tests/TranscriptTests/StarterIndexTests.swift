import Foundation
import Support
import Testing

/// The index of this repository, with which a user finds plugins on the first day.
@Suite struct StarterIndexTests {
  private let home = Home()

  private func install(_ index: String) throws -> Home.Outcome {
    #expect(try home.run("plugin", "index", "add", "examples", index).status == 0)
    let found = try home.run("plugin", "search", "--json", "--fields", "name").text
    #expect(["feeds", "hello", "mcp"].allSatisfy { found.contains(#""name":"\#($0)""#) }, "\(found)")
    return try home.run("plugin", "install", "hello", "--yes", "--json", "--fields", "signer,origin")
  }

  @Test func anExampleIsInstalledFromIt() throws {
    let installed = try install(Checkout.path("plugins/index.json"))
    #expect(installed.status == 0, "\(installed)")
    #expect(try home.run("hello", "Kai").text.contains("Kai"))
  }

  /// An example that was changed has another hash, so the index must be made again, with a new version.
  @Test(.enabled(if: Tool.isInstalled("ssh-keygen") && Tool.isInstalled("git"), "skipped: needs ssh-keygen and git"))
  func theIndexIsMadeOfTheExamplesAndCanBeSigned() throws {
    let scratch = try ScratchFolder()
    let clone = scratch.url.appendingPathComponent("ifttt")
    let cloned = try Tool.required("git").run(
      ["clone", "--quiet", Checkout.path("."), clone.path], in: ScratchFolder())
    #expect(cloned.status == 0, "\(cloned)")
    let key = home.folder["key"]
    let made = try Tool.required("ssh-keygen").run(
      ["-q", "-t", "ed25519", "-N", "", "-C", "release", "-f", key], in: ScratchFolder())
    #expect(made.status == 0, "\(made)")
    let index = clone.appendingPathComponent("plugins/index.json")
    func hashes() throws -> [String] {
      let document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: index)) as? [String: Any])
      return try #require(document["plugins"] as? [[String: Any]]).compactMap { $0["content_sha256"] as? String }
    }
    let before = try hashes()
    let script = try #require(Tool(path: clone.appendingPathComponent("packaging/plugins/make").path))
    let output = try script.run(
      [BuiltProduct.path("ifttt")], in: ScratchFolder(),
      environment: ["IFTTT_RELEASE_KEY": try String(contentsOfFile: key, encoding: .utf8)])
    #expect(output.status == 0, "\(output)")
    #expect(try before == hashes() && before.count == 3, "run packaging/plugins/make and commit the folder plugins")

    #expect(try home.run("plugin", "trust", "add", "release", key + ".pub").status == 0)
    let installed = try install(index.path)
    #expect(installed.status == 0 && installed.text.contains("release"), "\(installed)")
  }
}
