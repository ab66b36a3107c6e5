import CommandLine
import Commands
import ProgramDriver
import Session
import Support
import Synchronization
import Testing
import World

/// What the program prints on a plain terminal. Several tests read the same page, and each page takes a run of the
/// program, so each is printed once for all tests.
enum PrintedPages {
  struct Page: Sendable {
    let code: ExitCode
    let text: String
  }

  private struct Key: Hashable, Sendable {
    let words: [String]
    let columns: Int?
  }

  private static let pages = Mutex<[Key: Page]>([:])

  /// - Parameters:
  ///   - words: the arguments.
  ///   - columns: the width of the terminal; nil for output to a pipe.
  static func page(_ words: [String], columns: Int?) -> Page {
    let key = Key(words: words, columns: columns)
    if let page = pages.withLock({ $0[key] }) { return page }
    let terminal = columns.map { Terminal.interactive(columns: $0) } ?? .none
    // A terminal without bold keeps headings plain, so that they can be found.
    let world = TestWorld(environment: ["TERM": "dumb"], terminal: terminal)
    let code = Program.run(words.map { RawArgument($0) }, world: world.world) { _ in NoTransport() }
    let page = Page(code: code, text: world.output.text)
    pages.withLock { $0[key] = page }
    return page
  }
}
