/// Measures the time since data was last received, and reports it once it exceeds the interval.
struct SlowRequestTimer {
  private let feedback: SlowRequestFeedback
  private var since: Duration
  private var due: Duration
  private var isShown = false

  init(_ feedback: SlowRequestFeedback, now: Duration) {
    (self.feedback, since, due) = (feedback, now, now + feedback.interval)
  }

  /// The time until the next notice is due.
  func patience(_ now: Duration) -> Duration { due - now }

  /// - Parameter origin: the origin that is waited for.
  mutating func update(hasNews: Bool, now: Duration, _ origin: String?) {
    if hasNews {
      end()
      (since, due) = (now, now + feedback.interval)
    } else if now >= due, let origin {
      feedback.waiting(origin, now - since)
      (due, isShown) = (now + feedback.interval, true)
    }
  }

  mutating func end() {
    if isShown { feedback.ended() }
    isShown = false
  }
}
