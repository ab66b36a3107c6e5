import Foundation
import Support
import Testing
import World

/// Messages between threads, and waiting for them together with input and Ctrl-C.
@Suite struct MailboxTests {
  @Test func messagesArriveInOrder() throws {
    let box = try Mailbox<Int>()
    #expect(box.receive() == nil)
    for number in 0..<3 { box.send(number) }
    #expect((0..<4).map { _ in box.receive() } == [0, 1, 2, nil])
  }

  @Test func noMessageIsLostBetweenThreads() throws {
    let box = try Mailbox<Int>()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<30_000 { box.send(thread * 30_000 + number) }
    }
    var seen: Set<Int> = []
    while let letter = box.receive() { seen.insert(letter) }
    #expect(seen.count == 120_000)
  }

  @Test func messageEndsAWait() throws {
    let box = try Mailbox<String>()
    let (input, pipe, _) = waiting()
    defer { withExtendedLifetime(pipe) {} }
    Thread.detachNewThread { box.send("here") }
    let wakeReason = try input.wait(for: box.descriptor, expectsInput: true, atMost: .seconds(3600))
    #expect(wakeReason == .message)
    #expect(box.receive() == "here")
    // A message that was received does not end another wait.
    #expect(try input.wait(for: box.descriptor, expectsInput: false, atMost: .zero) == .timeUp)
  }

  @Test func inputEndsAWaitThatExpectsInput() throws {
    let (input, pipe, _) = waiting()
    #expect(try input.wait(for: -1, expectsInput: true, atMost: .milliseconds(1)) == .timeUp)
    pipe.fileHandleForWriting.write(Data("one\ntwo".utf8))
    #expect(try input.wait(for: -1, expectsInput: false, atMost: .milliseconds(1)) == .timeUp)
    #expect(try input.wait(for: -1, expectsInput: true, atMost: .seconds(3600)) == .input)
    #expect(try input.readLine() == "one")
    // Buffered input that was not returned yet also ends a wait.
    #expect(try input.wait(for: -1, expectsInput: true, atMost: .seconds(3600)) == .input)
    #expect(try input.readSome() == Array("two".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try input.wait(for: -1, expectsInput: true, atMost: .seconds(3600)) == .input)
    #expect(try input.readSome() == [])
  }

  @Test func interruptEndsAWait() throws {
    let (input, pipe, interruption) = waiting()
    defer { withExtendedLifetime(pipe) {} }
    Thread.detachNewThread { interruption.interrupt() }
    #expect(throws: InputError.interrupted) {
      try input.wait(for: -1, expectsInput: true, atMost: .seconds(3600))
    }
  }

  private func waiting() -> (LiveInput, Pipe, TestInterruption) {
    let (pipe, interruption) = (Pipe(), TestInterruption())
    return (
      LiveInput(descriptor: pipe.fileHandleForReading.fileDescriptor, interruption: interruption), pipe, interruption
    )
  }
}
