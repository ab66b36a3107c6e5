import Arguments
import Foundation
import Pages
import Support
import Testing

@testable import Commands

/// Every example of every page does what it says, typed into a shell by someone who uses the sandbox.
@Suite struct TreeExampleTests {
  private static let examples = CommandPlace(root: Root.schema).subtree.flatMap(\.command.examples).map(\.arguments)

  @Test(arguments: examples) func works(example: String) throws {
    let folder = try ScratchFolder()
    try folder.write("a-service-key-for-an-example\n", to: "key.txt")
    let program = try #require(Tool(path: BuiltProduct.path("ifttt")))
    let bash = try Tool.required("bash")
    var environment = [
      "IFTTT_HOME": folder.path + "/home", "IFTTT_PROFILE": "sandbox", "IFTTT": program.path,
      // The sandbox's own, which comes from the pipe where the example says so.
      "IFTTT_ACCESS_TOKEN": "at_7f20c1",
    ]
    let prepared = try program.run(["-q", "token", "exchange"], in: folder, environment: environment)
    #expect(prepared.status == 0, "\(prepared.errors)")
    // Something to undo.
    let disabled = try program.run(["-q", "connections", "disable", "Wd5Po8Rk"], in: folder, environment: environment)
    #expect(disabled.status == 0, "\(disabled.errors)")
    let readsInput = example.hasSuffix(" -")
    if readsInput { environment["IFTTT_ACCESS_TOKEN"] = nil }
    let ids = example.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("--stdin".utf8) }
    let outcome = try bash.run(
      ["-c", "\"$IFTTT\" \(example)"], in: folder, environment: environment,
      input: readsInput ? "at_7f20c1\n" : ids ? "Fq3Lw8Zt\n" : "")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(!outcome.output.isEmpty)
  }
}
