package import HTTP
package import IFTTT
package import Session
package import Store
import World

/// Reads subjects and plans their changes. It sends nothing.
package final class SubjectReader {
  package enum Outcome {
    /// Something would change. An executor with a journal can approve the item.
    case plan(ChangeExecutor.Item, ConnectionPlan)
    /// Nothing would change, or an error occurred before anything was sent.
    case ended(ChangeResult)
  }

  private let providers: ChangeProviders
  private let session: Session
  /// The callbacks of items without a plan, by the identity of the item.
  private var waiting: [ObjectIdentifier: (Outcome) throws -> Void] = [:]
  private lazy var executor = ChangeExecutor(nil, in: session) { [unowned self] item, plan in
    try waiting.removeValue(forKey: ObjectIdentifier(item))?(.plan(item, plan))
    return nil
  }

  package init(at providers: ChangeProviders, in session: Session) {
    (self.providers, self.session) = (providers, session)
  }

  /// Returns the chain of requests that reads one subject and plans its change.
  package func chain(
    _ request: SubjectChange.Request, then: @escaping (Outcome) throws -> Void
  ) throws -> RequestChain {
    var key: ObjectIdentifier?
    let item = ChangeExecutor.Item(request, at: try providers[request.subject.provider]) {
      [unowned self] result in
      if let key { waiting[key] = nil }
      try then(.ended(result))
    }
    key = ObjectIdentifier(item)
    waiting[ObjectIdentifier(item)] = then
    return try executor.begin(item)
  }

  /// Reads all subjects of a run.
  /// - Parameter each: called with the index of each subject, in the order in which they were read.
  package func read(_ source: ChangeSource, each: @escaping (Int, Outcome) throws -> Void) throws {
    // Missing credentials are reported before a connection is opened.
    if source.count > 0 { _ = try providers[try source.subject(0).provider] }
    let bar = BatchProgressBar(total: source.count, console: session.console)
    bar.begin("Reading", of: source.count)
    defer { bar.end() }
    try run(source, 0..<source.count) { [self] index in
      try chain(source[index]) { found in
        bar.advance()
        try each(index, found)
      }
    }
    try providers.finish()
  }

  /// Runs the chains of subjects: HTTP requests in parallel, then plugins one subject at a time.
  func run(_ source: ChangeSource, _ indices: some Sequence<Int>, chain: (Int) throws -> RequestChain) throws {
    var plugins: [Int] = []
    var rest = indices.makeIterator()
    func next() throws -> Int? {
      while let index = rest.next() {
        guard case .plugin = try source.subject(index).provider else { return index }
        plugins.append(index)
      }
      return nil
    }
    let skipped = try session.network.http.run(
      from: { try next().map { .next(try chain($0)) } ?? .end }, stopsEarly: .server)
    if let skipped {
      while let index = try next() {
        var link = try chain(index)
        while case .send(_, _, let then) = link { link = try then(.failure(.skipped(skipped))) }
      }
    }
    for index in plugins {
      try session.world.checkInterruption()
      _ = try chain(index)
    }
  }
}

extension SubjectChange.Request {
  /// A request that only reads a connection, from the cache if it is fresh there.
  package static func reading(_ id: ConnectionID) -> SubjectChange.Request {
    var request = SubjectChange.Request(Subject(id: id.description), .entry(DesiredConnection(id: id)))
    request.mayBeCached = true
    return request
  }
}

/// The subjects of a run and their targets, in the requested order. Each can be read repeatedly, so that a long run
/// need not hold all of them in memory.
package struct ChangeSource {
  package let count: Int
  /// Returns only the subject, which may take less time than the whole request.
  package let subject: (Int) throws -> Subject
  private let at: (Int) throws -> SubjectChange.Request

  package init(
    count: Int, subject: @escaping (Int) throws -> Subject, at: @escaping (Int) throws -> SubjectChange.Request
  ) {
    (self.count, self.subject, self.at) = (count, subject, at)
  }

  package init(_ requests: [SubjectChange.Request]) {
    self.init(count: requests.count, subject: { requests[$0].subject }) { requests[$0] }
  }

  /// - Parameter at: the change of an item.
  package init(_ items: RecordedItems, at: @escaping (Int, JournalItem) throws -> SubjectChange.Request) {
    let request = { index in
      let (position, item) = try items[index]
      return try at(position, item)
    }
    self.init(count: items.count, subject: { try Subject(items[$0].item) ?? request($0).subject }, at: request)
  }

  package subscript(_ index: Int) -> SubjectChange.Request { get throws { try at(index) } }
}
