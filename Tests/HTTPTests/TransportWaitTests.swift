import Foundation
import Support
import Testing
import World

@testable import HTTP

/// A transport with nothing in flight waits for a descriptor, as the source of the next requests may be a slow pipe.
@Suite struct TransportWaitTests {
  private let clock = FakeClock()

  private func transports() -> [any Transport] {
    let world = makeWorld(clock: clock)
    return [
      OfflineTransport(world: world), ReplayTransport([], clock: FrozenClock(from: clock.start), world: world),
      RecordingTransport(OfflineTransport(world: world), clock: FrozenClock(following: clock)) { _ in },
      CurlTransport(world: world, version: "1.0.0"),
    ]
  }

  @Test func aReadableDescriptorEndsTheWait() {
    for transport in transports() {
      let pipe = Pipe()
      pipe.fileHandleForWriting.write(Data([1]))
      // Without the descriptor, the clock would pass this time at once.
      #expect(transport.wait(atMost: .seconds(3600), orReadable: pipe.fileHandleForReading.fileDescriptor).isEmpty)
      #expect(clock.monotonic() == .zero, "\(transport) slept")
    }
  }

  @Test func theWaitEndsInTimeOtherwise() {
    for transport in transports() {
      let pipe = Pipe()
      #expect(transport.wait(atMost: .milliseconds(5), orReadable: pipe.fileHandleForReading.fileDescriptor).isEmpty)
      #expect(transport.wait(atMost: .milliseconds(5), orReadable: -1).isEmpty)
    }
  }
}
