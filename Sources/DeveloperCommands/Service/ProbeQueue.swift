import HTTP
import IFTTT

/// The probes of a test that are still to be sent. Each response may add some.
struct ProbeQueue {
  private var ready: ArraySlice<Probe>
  /// The probes that follow from responses, until it is known that the server can be reached.
  private var early: [Probe] = []
  /// The probes that are sent once all others have a response.
  private var last: [Probe] = []
  private var inFlight = 0
  /// Whether any response shows that the server can be reached.
  var isReachable: Bool {
    didSet {
      guard isReachable else { return }
      ready += early
      early = []
    }
  }

  init(_ probes: [Probe], isReachable: Bool) {
    self.isReachable = isReachable
    ready = probes.filter { !$0.isLast }[...]
    last = probes.filter(\.isLast)
  }

  enum Next {
    case probe(Probe)
    /// Nothing before the next response.
    case none
    case end
  }

  mutating func next() -> Next {
    if ready.isEmpty, inFlight == 0 { (ready, last) = (last[...], []) }
    guard let probe = ready.popFirst() else { return inFlight == 0 ? .end : .none }
    inFlight += 1
    return .probe(probe)
  }

  /// Records a response.
  /// - Parameter probes: the probes that follow from it.
  mutating func receive(_ probes: [Probe]) {
    inFlight -= 1
    last += probes.filter(\.isLast)
    let next = probes.filter { !$0.isLast }
    if isReachable { ready += next } else { early += next }
  }
}
