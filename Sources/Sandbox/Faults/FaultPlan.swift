/// A plan that selects the faults for each request, from the request, the rules and a random number generator.
///
/// The same rules, seed and requests always produce the same faults.
package struct FaultPlan: Sendable, Equatable {
  /// The active rules, in the order they were added.
  package private(set) var rules: [FaultRule] = []
  private var random: SplitMix64

  package init(seed: Int = 0) { random = SplitMix64(state: UInt64(bitPattern: Int64(seed))) }

  package init(_ rules: [FaultRule], seed: Int = 0) {
    self.init(seed: seed)
    self.rules = Array(rules.prefix(Self.limit))
  }

  /// The maximum number of rules; further ones are ignored.
  package static let limit = 100

  package mutating func add(_ more: [FaultRule]) { rules = Array((rules + more).prefix(Self.limit)) }

  /// Select the faults for this request. All matching latencies add up. Among the other faults, only the first match
  /// applies, and only that rule is used up.
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

/// The faults that apply to one request.
package struct AppliedFaults: Sendable, Equatable {
  package var delay: Duration = .zero
  package var fault: InjectedFault?

  package init() {}

  /// The text for the request log, or nil if no fault applied.
  package var text: String? {
    let names = [delay == .zero ? nil : InjectedFault.latency(delay, delay).text, fault?.text].compactMap { $0 }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }
}

extension SplitMix64 {
  /// A number from 0 to 1, exclusive, that a Double can represent exactly.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
