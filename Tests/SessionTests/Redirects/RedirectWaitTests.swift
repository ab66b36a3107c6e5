import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// Lines that people paste instead of a redirect of the browser.
@Suite struct RedirectWaitTests {
  /// The lines that a wait returns for an input, until the input ends.
  private func lines(of input: String) throws -> [String] {
    let test = TestWorld(now: Home().now, input: .text(input), folder: TemporaryFolder(), seed: 1)
    test.input.whileWaiting = { (_, _) throws(InputError) in .input }
    let session = Session(
      world: test.world, options: GlobalOptions(), path: ["test"], provenance: [], tree: Root.tree,
      transport: { _ in preconditionFailure("a pasted line sends nothing") })
    var (wait, lines) = (RedirectWait<Never>(on: nil, takesInput: true, in: session), [String]())
    while wait.isOpen {
      if case .line(let line)? = try wait.next(until: .seconds(60)) { lines.append(line) }
    }
    while case .line(let line)? = try wait.next(until: .seconds(60)) { lines.append(line) }
    return lines
  }

  @Test func blankLinesAreIgnored() throws {
    #expect(try lines(of: "\n \t\r\n one\n\n\ntwo") == [" one", "two"])
    #expect(try lines(of: "\n").isEmpty)
    #expect(try lines(of: "").isEmpty)
  }
}
