package import HTTP
package import Time
package import World

/// All that the sign-in reaches the outside by: the host, the network, the clock and the system's generator.
package struct GrabWorld {
  package let host: any GrabHost
  package let http: HTTPClient
  package let clock: any Clock
  package let random: any RandomBytes
  package let interruption: any Interruption
  package let environment: Environment
  package let files: any Files
  /// Of one call, all its tries included.
  package let callLimit: Duration
  /// What the program that waits for the answer leaves of its own patience for calls; asked before each.
  package var timeForCalls: () -> Duration = { .seconds(86_400) }
  /// Whether nothing may be sent or changed.
  package var isDryRun = false
  /// The user's language as a BCP 47 tag, for the service's pages.
  package var locale: String?

  package init(host: any GrabHost, http: HTTPClient, world: World) {
    (self.host, self.http, callLimit) = (host, http, http.policy.timeout)
    (clock, random, interruption) = (world.clock, world.random, world.interruption)
    (environment, files) = (world.environment, world.files)
  }

  package var now: Timestamp { clock.now() }

  /// 256 bits.
  func randomBytes() throws -> [UInt8] {
    let bytes = random.bytes(32)
    guard bytes.count == 32, Set(bytes).count > 1 else {
      throw GrabError(.noRandomBytes, "the system gave no random bytes")
    }
    return bytes
  }
}
