package import HTTP
package import JSON
package import World

/// IFTTT as a pure function: a request and a state in, an answer and the new state out.
///
/// Written from the reference pages alone. It shares no type with the clients, so that a mistake in one shows in
/// the other.
package struct Emulator: Sendable {
  package var state: SandboxState
  package init(state: SandboxState) { self.state = state }

  package mutating func answer(_ request: Request, at now: Timestamp) -> Response { Response(status: 500) }
}

/// Everything the emulator knows; it reads and writes itself as JSON, to be kept between runs.
package struct SandboxState: Sendable, Equatable {
  /// The seeded world.
  package static var seed: SandboxState { SandboxState() }
}
