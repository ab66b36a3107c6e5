import CommandLine
import JSON
import Output
import PluginProtocol
@testable import Plugins
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// Commands that a provider plugin defines, run through the program.
@Suite struct ProviderCommandTests {
  private let provider = FakeProvider("shelf", [.runCommand])
  private let folder = TemporaryFolder()

  private static let call = CommandCall(
    command: ["sort"], options: ["by": "name", "deep": true, "tag": ["a", "b"]], arguments: ["x"],
    words: ["sort", "x", "--by", "name"], output: "table")

  private func run(
    _ shape: OutputSchema?, _ messages: [FakeProvider.ScriptedMessage], terminal: Terminal = .none,
    format: Format = .table,
    abandoned: Bool = false
  ) throws -> (output: String, problem: Problem?) {
    let home = Home(folder)
    provider.answers["command/run"] = { _ in messages }
    FakeProvider.install([provider], in: home)
    let test = TestWorld(now: home.now, terminal: terminal, folder: folder, seed: 1)
    home.prepare(test)
    var options = GlobalOptions()
    options.format = format
    let session = Session(
      world: test.world, options: options, path: ["shelf", "sort"], provenance: [], tree: Root.tree,
      transport: { _ in preconditionFailure("nothing is asked of IFTTT") })
    session.pluginAccess = PluginAccess(of: session, providers: GivenProviders(home.providers))
    let command = ProviderCommand(
      provider: try session.plugins.provider(.sample("shelf")), call: Self.call, shape: shape, browser: nil)
    do {
      let output = try command.run(in: session)
      try Printer(world: test.world, options: options, root: Root.group).print(output)
      try output.verdict()
      return (test.output.text, nil)
    } catch {
      return (test.output.text, Problem.from(error))
    }
  }

  private func shape(_ form: ManifestOutput.Form) -> OutputSchema {
    OutputSchema(
      ManifestOutput(form: form, columns: [.init("Book", "book.title", isKept: true), .init("Pages", "pages")]))
  }

  private static let book: Value = ["book": ["title": "Tides"], "pages": 12, "more": nil]

  @Test func rowsArePrintedAsTheManifestSays() throws {
    let (output, problem) = try run(shape(.many), [.item(Self.book), .item(Self.book), .answer([:])])
    #expect(output == "BOOK   PAGES\nTides  12\nTides  12\n")
    #expect(problem == nil)
    #expect(provider.asked.last?.params == Self.call.params)
  }

  @Test func jsonOutputKeepsItsForm() throws {
    let (many, _) = try run(shape(.many), [.item(Self.book), .answer([:])], format: .json)
    #expect(many == "[\n{\"book\":{\"title\":\"Tides\"},\"pages\":12,\"more\":null}\n]\n")
    let (one, _) = try run(shape(.one), [.item(Self.book), .answer([:])], format: .json)
    #expect(try JSONValue(parsing: Array(one.utf8))["pages"]?.int == 12)
    let (none, _) = try run(shape(.many), [.answer([:])], format: .json)
    #expect(none == "[]\n")
  }

  @Test(arguments: [0, 2]) func aSingleResultMustBeExactlyOneRow(_ count: Int) throws {
    let items = (0..<count).map { _ in FakeProvider.ScriptedMessage.item(Self.book) }
    let (_, problem) = try run(shape(.one), items + [.answer([:])], format: .json)
    #expect(problem?.code == .pluginFailed)
  }

  @Test func textIsPrintedUnchangedAndEscapedOnATerminal() throws {
    let messages: [FakeProvider.ScriptedMessage] = [.answer(["text": "a\u{1b}[2J\nb\n"])]
    #expect(try run(nil, messages).output == "a\u{1b}[2J\nb\n")
    #expect(try run(nil, messages, terminal: .interactive()).output == "a\\u{1b}[2J\nb\n")
    #expect(try run(nil, [.answer([:])]).output == "")
  }

  @Test func rowsBeforeAnErrorArePrinted() throws {
    let error = PluginError("rate_limited", "slow down")
    let (output, problem) = try run(shape(.many), [.item(Self.book), .fail(error)], format: .jsonl)
    #expect(output == "{\"book\":{\"title\":\"Tides\"},\"pages\":12,\"more\":null}\n")
    #expect(problem?.code == .rateLimited)
    #expect(problem?.message == "slow down")
  }

  @Test(arguments: Problem.Code.allCases) func aPluginCannotUseReservedCodes(_ code: Problem.Code) {
    let problem = Problem(PluginError(code.rawValue, "x"), of: .sample("shelf"))
    let isOurs =
      [.store, .interrupted, .partial, .notYet].contains(code.exit) || code == .notRecorded || code == .outputFailed
    #expect(problem.code == (isOurs ? .pluginFailed : code))
  }
}
