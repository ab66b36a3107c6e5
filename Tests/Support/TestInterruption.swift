import Foundation
import World

/// A simulated Ctrl-C at a moment that the test chooses. All mutable state is guarded by `lock`.
package final class TestInterruption: Interruption, @unchecked Sendable {
  private let lock = NSLock()
  private var asked = 0
  private var moment: Int?
  private let pipe = Pipe()

  package init() {}

  /// Interrupt immediately.
  package func interrupt() { interrupt(afterChecks: 0) }

  /// Interrupt after `count` more checks.
  package func interrupt(afterChecks count: Int) {
    lock.withLock { moment = asked + count }
    if count == 0 { pipe.fileHandleForWriting.write(Data([0])) }
  }

  package var isInterrupted: Bool {
    lock.withLock {
      asked += 1
      guard let moment else { return false }
      if asked == moment + 1 { pipe.fileHandleForWriting.write(Data([0])) }
      return asked > moment
    }
  }

  package var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }
}
