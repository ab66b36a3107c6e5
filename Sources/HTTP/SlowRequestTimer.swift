/// Measures the time without received data, and reports it once that is long.
struct SlowRequestTimer {
  private let feedback: SlowRequestFeedback
  private var since: Duration
  private var due: Duration
  private var isShown = false

  init(_ feedback: SlowRequestFeedback, now: Duration) {
    (self.feedback, since, due) = (feedback, now, now + feedback.interval)
  }

  /// Until the next word is due.
  func patience(_ now: Duration) -> Duration { due - now }

  /// - Parameter origin: what is waited for.
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
