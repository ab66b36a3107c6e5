package import HTTP
package import World

/// The effects of the sign-in: the host, the network, the clock and the system's random generator.
package struct GrabWorld {
  package let host: any GrabHost
  package let http: HTTPClient
  package let clock: any Clock
  package let random: any RandomBytes
  package let interruption: any Interruption
  package let environment: Environment
  package let files: any Files
  /// The timeout of one request, retries included.
  package let callLimit: Duration
  /// The time that is left for requests before the program's own timeout; evaluated before each request.
  package var timeForCalls: () -> Duration = { .seconds(86_400) }
  /// Whether requests and changes are forbidden.
  package var isDryRun = false
  /// The user's language as a BCP 47 tag, for the service's pages.
  package var locale: String?

  package init(host: any GrabHost, http: HTTPClient, world: World) {
    (self.host, self.http, callLimit) = (host, http, http.policy.timeout)
    (clock, random, interruption) = (world.clock, world.random, world.interruption)
    (environment, files) = (world.environment, world.files)
  }

  package var now: Timestamp { clock.now() }

  /// 256 random bits.
  func randomBytes() throws -> [UInt8] {
    let bytes = random.bytes(32)
    guard bytes.count == 32, Set(bytes).count > 1 else {
      throw GrabError(.noRandomBytes, "the system provided no random bytes")
    }
    return bytes
  }
}
