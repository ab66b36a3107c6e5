/// Decides which faults strike a request: a request, the rules and a source of random numbers in; what to do out.
///
/// The same rules, seed and requests always give the same faults.
package struct FaultPlan: Sendable, Equatable {
  /// Those that still strike, in the order in which they were given.
  package private(set) var rules: [FaultRule] = []
  private var random: SplitMix64

  package init(seed: Int = 0) { random = SplitMix64(state: UInt64(bitPattern: Int64(seed))) }

  package init(_ rules: [FaultRule], seed: Int = 0) {
    self.init(seed: seed)
    self.rules = Array(rules.prefix(Self.limit))
  }

  /// More than this many rules are not kept.
  package static let limit = 100

  package mutating func add(_ more: [FaultRule]) { rules = Array((rules + more).prefix(Self.limit)) }

  /// What strikes this request. All latencies that do add up; of the rest the first one counts, and only it is used up.
  package mutating func strike(method: String, path: String) -> AppliedFaults {
    var struck = AppliedFaults()
    guard !rules.isEmpty else { return struck }
    for place in rules.indices {
      let rule = rules[place]
      guard rule.fault.isLatency || struck.fault == nil, rule.times != 0, rule.concerns(method: method, path: path),
        rule.share == 1 || random.fraction() < rule.share
      else { continue }
      if let times = rule.times { rules[place].times = times - 1 }
      guard case .latency(let least, let most) = rule.fault else {
        struck.fault = rule.fault
        continue
      }
      struck.delay += least == most ? least : least + (most - least) * random.fraction()
    }
    rules.removeAll { $0.times == 0 }
    return struck
  }
}

/// What strikes one request.
package struct AppliedFaults: Sendable, Equatable {
  package var delay: Duration = .zero
  package var fault: InjectedFault?

  package init() {}

  /// For the list of requests; nil where nothing struck.
  package var text: String? {
    let names = [delay == .zero ? nil : InjectedFault.latency(delay, delay).text, fault?.text].compactMap { $0 }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }
}

extension SplitMix64 {
  /// From 0 up to 1, in steps a Double can hold.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
