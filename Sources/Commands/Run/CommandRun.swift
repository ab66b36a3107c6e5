import CommandLine
import Output
import Session
import World

extension Session {
  /// Runs the command, prints the result, and then offers to store credentials that were typed.
  /// - Parameter world: the world of this process, not that of a replay, which runs no programs.
  func perform(_ action: Action, in world: World) throws {
    for item in provenance { console.diagnose(item.line) }
    let result = Result { try runAndPrint(action, in: world) }
    switch result {
    case .success:
      try endReport()
      try credentials.offerToStore()
    // A command that failed later may have proved a typed credential too. Its own error matters more.
    case .failure(let error) where !(error is BrokenPipe):
      endReport(with: error)
      try? credentials.offerToStore()
    case .failure: break
    }
    try result.get()
  }

  private func runAndPrint(_ action: Action, in world: World) throws {
    do {
      let filter = try options.jq.map { try JQFilter($0, in: world) }
      let output = try action(self)
      defer { output.closing() }
      if output.isFollowed || output.isLive { console.slowRequestNotice.isSuppressed = true }
      let printer = Printer(world: self.world, options: options, root: tree.root)
      if let filter { try printer.print(output, through: filter) } else { try printer.print(output) }
      try output.verdict()
    } catch let error where !(error is BrokenPipe) && !(error is ReportedFailure) {
      throw suggesting(Problem.from(error)).completed(with: suggestions)
    }
  }
}
