import Testing
import World

@Suite struct BatchQueueTests {
  @Test func oneReceiverGetsEverythingInOrder() throws {
    let queue = BatchQueue<Int>()
    let received = Received()
    let worker = try WorkerThread.start {
      while true {
        let batch = queue.next(atMost: 7)
        if batch.isEmpty { return }
        received.add(batch)
      }
    }
    let senders = try (0..<4).map { sender in
      try WorkerThread.start { for number in 0..<1000 { _ = queue.add(sender * 1000 + number) } }
    }
    for sender in senders { sender.join() }
    queue.close()
    #expect(!queue.add(-1))
    worker.join()
    worker.join()
    #expect(received.batches.allSatisfy { (1...7).contains($0.count) })
    let numbers = received.batches.flatMap(\.self)
    #expect(numbers.sorted() == Array(0..<4000))
    for sender in 0..<4 {
      let own = numbers.filter { $0 / 1000 == sender }
      #expect(own == own.sorted())
    }
  }

  @Test func aClosedEmptyQueueEndsAtOnce() {
    let queue = BatchQueue<Int>()
    _ = queue.add(1)
    queue.close()
    #expect(queue.next(atMost: 10) == [1])
    #expect(queue.next(atMost: 10) == [])
  }

  /// Only the worker changes it, and the test reads it after the worker has ended.
  private final class Received: @unchecked Sendable {
    private(set) var batches: [[Int]] = []
    func add(_ batch: [Int]) { batches.append(batch) }
  }
}
