package import Arguments
import Display
package import HTTP
package import Listener
package import World

/// The whole program as a function of its arguments and the world.
package enum Program {
  /// Runs one command line, prints what it found or what went wrong, and gives the exit code.
  ///
  /// - Parameters:
  ///   - transport: makes what carries requests; called when the first request is made.
  ///   - listener: makes what takes them; called when something is first served. Without it nothing can be.
  package static func run(
    _ words: [Word], world: World, transport: @escaping (World) -> any Transport,
    listener: (() -> any LoopbackListener)? = nil
  ) -> ExitCode {
    if let first = words.first, first.text == CompletionAnswer.question {
      world.writeOutput(CompletionAnswer.text(for: words.dropFirst(), in: world))
      return .success
    }
    let reading = Root.parser.parse(words) { world.environment[$0] }
    let printer = Printer(world: world, options: reading.globals)
    do {
      switch reading.outcome {
      case .version: try printer.print("ifttt \(version)\n")
      case .help(let path, let isFull): try printer.print(Root.helpPage(path: path, isFull: isFull, world: world))
      case .usage(let error): return printer.report(error)
      case .run(let action, let path, let provenance):
        let session = Session(
          world: world, options: reading.globals, path: path, provenance: provenance, root: Root.group,
          transport: transport, listener: listener)
        for item in provenance { session.diagnose(item.line) }
        let output = try action(session)
        defer { output.closing() }
        try printer.print(output)
        try output.verdict()
      }
      return .success
    } catch is ReaderGone {
      return .success
    } catch {
      return printer.report(Problem(error))
    }
  }
}

extension World {
  /// For an answer that nobody can be told was not taken.
  fileprivate func writeOutput(_ text: String) {
    var text = text
    text.withUTF8 { try? output.write(UnsafeRawBufferPointer($0)) }
  }
}
