import CommandLine
import Output
import Session
import World

extension Session {
  /// Runs its command, prints the result, and then offers to store what was typed.
  /// - Parameter world: the world of this process, not that of a replay, which runs no programs.
  func perform(_ action: Action, in world: World) throws {
    for item in provenance { console.diagnose(item.line) }
    let end = Result { try performOnly(action, in: world) }
    switch end {
    case .success: try credentials.offerToStore()
    // A command that failed later may have proved a typed credential too. Its own error matters more.
    case .failure(let error) where !(error is BrokenPipe): try? credentials.offerToStore()
    case .failure: break
    }
    try end.get()
  }

  private func performOnly(_ action: Action, in world: World) throws {
    do {
      let filter = try options.jq.map { try JQFilter($0, in: world) }
      let output = try action(self)
      defer { output.closing() }
      if output.isFollowed || output.isLive { console.slowRequestNotice.isHeldBack = true }
      let printer = Printer(world: self.world, options: options, root: tree.root)
      if let filter { try printer.print(output, through: filter) } else { try printer.print(output) }
      try output.verdict()
    } catch let error where !(error is BrokenPipe) {
      throw suggesting(Problem.from(error)).completed(with: suggestions)
    }
  }
}
