import HTTP
import JSON
import Output
import PluginProtocol
import Plugins
import Session
import Text

/// The lists of several providers, which are fetched in parallel and printed as one.
///
/// JSON Lines prints each list as soon as it is complete, starting with the cached lists. Other formats wait
/// for all lists and print them in one order, so that the output does not depend on the fastest provider.
struct CombinedList {
  private let lists: [any ConnectionList]
  /// Whether no other provider is used.
  private let isAlone: Bool
  private let session: Session

  /// - Parameter provider: the only provider to list; nil for IFTTT and the profile's plugins.
  init(of provider: ProviderName?, _ request: ListRequest, in session: Session) throws {
    self.session = session
    switch provider {
    case .connect: lists = [try ConnectProvider(in: session).list(request)]
    case .plugin(let name): lists = [try PluginProvider(named: name, in: session).list(request)]
    case nil:
      let (plugins, hasMore) = try session.plugins.listed(maxAge: request.maxAge)
      let providers: [any ConnectionProvider] =
        [ConnectProvider(in: session)] + plugins.map { PluginProvider($0, in: session) }
      lists = try providers.filter(\.canList).map { try $0.list(request) }
      isAlone = lists.count == 1 && !hasMore
      return
    }
    isAlone = true
  }

  /// The requests that a fetch would send, for `--dry-run`.
  var requests: [Request] { get throws { try lists.flatMap { try $0.requests } } }

  func output() throws -> Output {
    let loop = FetchLoop(in: session)
    // A complete list can be read repeatedly, so that a long table needs little memory.
    guard !isAlone, session.options.format == .jsonl, lists.contains(where: \.isDue) else {
      return try complete(loop)
    }
    return try streamed(loop)
  }

  private func complete(_ loop: FetchLoop) throws -> Output {
    for list in lists { try list.fetch(in: loop) {} }
    let outcome = Result { try loop.run() }
    // After Ctrl-C, print the rows that are known.
    if case .failure(let error) = outcome, Problem.from(error).code != .interrupted { throw error }
    // A search or an order may need fields that are not printed.
    let isSelection = isAlone && session.shard == nil && !session.rowSelection.readsFields && selectsColumns
    let rows = Rows(isReiterable: true, isSelection: isSelection) { body in
      try forEachInOrder(of: lists.filter { !$0.isDue }, body)
    }
    return output(rows) { try outcome.get() }
  }

  /// Reduces the rows to the fields that are printed, if the cache has a column for each of them.
  private var selectsColumns: Bool {
    let printsObjects = session.options.format.printsObjects
    guard let fields = session.options.fields ?? (printsObjects ? nil : OutputSchema.connections.columns.map(\.path))
    else {
      return false
    }
    // In an object, a field of a part is a member of the row.
    if printsObjects, fields.contains(where: { $0.names.count > 1 }) { return false }
    return lists[0].select(fields)
  }

  private func streamed(_ loop: FetchLoop) throws -> Output {
    let known = lists.filter { !$0.isDue }
    let completions = Completions()
    for list in lists {
      let isDue = list.isDue
      try list.fetch(in: loop) { if isDue { try completions.receive(list) } }
    }
    let rows = Rows(isReiterable: false) { body in
      for list in known { try forEach(of: list, body) }
      try Rows.storing(body) { body in
        completions.receive = { list in
          session.console.makeRoom()
          try forEach(of: list, body)
        }
        defer { completions.receive = { _ in } }
        try loop.run()
      }
    }
    var output = output(rows) {}
    // The known rows are printed while the others are still being fetched.
    output.isFollowed = true
    return output
  }

  /// Calls `body` with the rows of all lists, merged in the order of ``RowOrder``, which each list already has. Only
  /// the first list, IFTTT's, can be long, so the others are read into memory.
  private func forEachInOrder(
    of lists: [any ConnectionList], _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let first = lists.first else { return }
    var others: [(order: RowOrder, row: [UInt8])] = []
    for list in lists.dropFirst() {
      try forEach(of: list) { row in others.append((try RowOrder(row), Array(row))) }
    }
    var rest = others.sorted(by: \.order)[...]
    try forEach(of: first) { row in
      if !rest.isEmpty {
        let order = try RowOrder(row)
        while let other = rest.first, other.order < order {
          try other.row.withUnsafeBytes(body)
          rest.removeFirst()
        }
      }
      try body(row)
    }
    for other in rest { try other.row.withUnsafeBytes(body) }
  }

  /// Calls `body` with each row of the shard.
  private func forEach(of list: any ConnectionList, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let shard = session.shard else { return try list.forEach(body) }
    try list.forEach { row in
      if let id = try JSONScanner.id(of: row), shard.contains(id) { try body(row) }
    }
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

extension JSONScanner {
  /// The id of a row; nil if it has none.
  fileprivate static func id(of row: UnsafeRawBufferPointer) throws -> String? {
    var scanner = JSONScanner(row)
    while let key = try scanner.nextKey() {
      let value = try scanner.skipValue()
      guard scanner.slice(key).elementsEqual("id".utf8) else { continue }
      return try JSONValue(parsing: Array(scanner.slice(value))).string
    }
    return nil
  }
}

extension RowOrder {
  private static let keys = JSONKeys([Array("name".utf8), Array("id".utf8)])

  /// - Throws: `JSONError` for a row that is not an object.
  fileprivate init(_ row: UnsafeRawBufferPointer) throws {
    var found = [Range<Int>](repeating: 0..<0, count: Self.keys.count)
    var scanner = JSONScanner(row)
    try scanner.find(Self.keys, in: &found)
    func text(_ range: Range<Int>) throws -> String {
      range.isEmpty ? "" : try JSONValue(parsing: Array(scanner.slice(range))).string ?? ""
    }
    self.init(name: try text(found[0]), id: try text(found[1]))
  }
}
