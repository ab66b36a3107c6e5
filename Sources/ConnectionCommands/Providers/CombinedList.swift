import Batch
import CommandContext
import Display
import PluginHost

/// The lists of several providers, which are fetched in parallel and printed as one.
///
/// A table is printed as a whole, so its order does not depend on the fastest provider. Other formats print each list
/// as soon as it is complete, starting with those that need no request.
struct CombinedList {
  let lists: [any ConnectionList]
  let session: Session

  private var isAlone: Bool { lists.count == 1 }

  func output() throws -> Output {
    let loop = FetchLoop(in: session)
    // A single list, or a table, is complete before its first row is printed. Its rows can then be read repeatedly, so
    // that a long table needs little memory.
    guard !isAlone, session.options.format != .table, lists.contains(where: \.isDue) else {
      return try complete(loop)
    }
    return try streamed(loop)
  }

  private func complete(_ loop: FetchLoop) throws -> Output {
    for list in lists { try list.fetch(in: loop) {} }
    let end = Result { try loop.run() }
    // Print the rows that were known at Ctrl-C.
    if case .failure(let error) = end, Problem(error).code != .interrupted { throw error }
    let isSelection = isAlone && session.options.fields.map(lists[0].select) == true
    let rows = Rows(isReiterable: true, isSelection: isSelection) { body in
      for list in lists where !list.isDue { try list.forEach(body) }
    }
    return output(rows) { try end.get() }
  }

  private func streamed(_ loop: FetchLoop) throws -> Output {
    let known = lists.filter { !$0.isDue }
    let completions = Completions()
    for list in lists {
      let isDue = list.isDue
      try list.fetch(in: loop) { if isDue { try completions.receive(list) } }
    }
    let rows = Rows(isReiterable: false) { body in
      for list in known { try list.forEach(body) }
      try withoutActuallyEscaping(body) { body in
        completions.receive = { list in
          session.console.makeRoom()
          try list.forEach(body)
        }
        defer { completions.receive = { _ in } }
        try loop.run()
      }
    }
    var output = output(rows) {}
    // Known rows are printed before the rows that have to be waited for.
    output.isFollowed = true
    return output
  }

  private func output(_ rows: Rows, _ verdict: @escaping () throws -> Void) -> Output {
    Output(
      body: .rows(rows, isAlone ? .connections : .connections.withProviders),
      verdict: {
        try verdict()
        for list in lists { try list.evaluate(isAlone: isAlone) }
      })
  }

  /// Receives each list when it is complete.
  private final class Completions {
    var receive: (any ConnectionList) throws -> Void = { _ in }
  }
}
