/// IFTTT as a pure function: a request and a state in, an answer and the new state out.
///
/// Written from the reference pages alone. It shares no type with the clients, so that a mistake in one shows in
/// the other. The path alone decides what is asked for; a host of IFTTT's own only narrows which paths it serves, so
/// that the same emulator can stand behind a server on any address.
package struct Emulator: Sendable {
  package var state: SandboxState
  package var web = WebRules()
  /// What is to be sent to partners' services.
  var webhooks: [Webhook] = []

  let seed: SandboxSeed

  package init(state: SandboxState, seed: SandboxSeed = .builtIn) { (self.state, self.seed) = (state, seed) }
}
