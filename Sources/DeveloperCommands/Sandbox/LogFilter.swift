import HTTP
import Sandbox

/// A filter of one of the running server's logs, whose records are numbered.
protocol LogFilter: Sendable, Equatable {
  /// Selects only the last records.
  var last: Int? { get set }
  /// Selects only records with a higher number.
  var after: Int? { get set }
  /// The names of the other conditions.
  static var conditions: [String] { get }
  /// The other conditions that are set.
  var conditions: [QueryItem] { get }

  init()
  /// Sets one of the other conditions.
  mutating func set(_ item: QueryItem) throws(SandboxControl.Refusal)
}

extension LogFilter {
  /// - Parameter query: The query as it appears in a URL.
  init(_ query: String) throws(SandboxControl.Refusal) {
    self.init()
    let request = Request(receivedMethod: "GET", target: "/?\(query)", headers: [], body: [])
    for item in request?.url.query ?? [] {
      switch item.name {
      case "last": last = try Self.number(item)
      case "after": after = try Self.number(item)
      case _ where Self.conditions.contains(item.name): try set(item)
      default:
        let names = Self.conditions.joined(separator: ", ")
        throw SandboxControl.Refusal(400, "Unknown parameter; use \(names), last or after")
      }
    }
  }

  static func number(_ item: QueryItem) throws(SandboxControl.Refusal) -> Int {
    guard let number = Int(item.value), number >= 0 else {
      throw SandboxControl.Refusal(400, "\(item.name) is not a number")
    }
    return number
  }

  var query: [QueryItem] {
    conditions
      + [("last", last), ("after", after)].compactMap { name, number in number.map { QueryItem(name, String($0)) } }
  }

  /// The selected records.
  /// - Parameter matches: whether a record meets the other conditions.
  func chosen<Record>(from all: [Record], number: (Record) -> Int, _ matches: (Record) -> Bool) -> [Record] {
    let matching = all.filter { number($0) > (after ?? 0) && matches($0) }
    return last.map { Array(matching.suffix($0)) } ?? matching
  }
}
