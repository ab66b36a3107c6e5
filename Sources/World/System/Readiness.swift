#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Waits with poll(2) until descriptors are ready.
enum Readiness {
  struct Watch {
    enum Purpose { case reading, writing }
    var descriptor: Int32
    var purpose: Purpose
    init(_ descriptor: Int32, _ purpose: Purpose) { (self.descriptor, self.purpose) = (descriptor, purpose) }
  }

  /// Returns, for each watch in order, whether a read or write would not block. This includes the end of input and
  /// broken descriptors, for which the read or write itself reports the condition. All are false after `limit` or a
  /// signal. A descriptor of -1 is never ready.
  @discardableResult
  static func wait(for watches: [Watch], atMost limit: Duration?) -> [Bool] {
    var entries = watches.map { watch in
      pollfd(descriptor: watch.descriptor, events: watch.purpose == .reading ? POLLIN : POLLOUT)
    }
    let count = poll(&entries, nfds_t(entries.count), limit?.pollMilliseconds ?? -1)
    guard count > 0 else { return watches.map { _ in false } }
    return entries.map { $0.revents != 0 }
  }
}

extension pollfd {
  fileprivate init(descriptor: Int32, events: some BinaryInteger) {
    self.init(fd: descriptor, events: Int16(events), revents: 0)
  }
}
