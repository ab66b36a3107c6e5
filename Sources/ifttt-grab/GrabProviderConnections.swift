import GrabID
import JSON
import PluginProtocol

extension GrabProvider {
  func list(status: String?, host: PluginHost) throws {
    for connection in try serving(host, { try GrabConnections(world: $0).all() }) {
      let provided = connection.provided
      if status == nil || status == provided.status.rawValue { try host.send(provided) }
    }
  }

  func show(_ id: String, host: PluginHost) throws -> ProvidedConnection {
    try serving(host) { try GrabConnections(world: $0).connection(id: id).provided }
  }

  func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    try serving(host) { StatusChange(.enabled, from: try GrabConnections(world: $0).enable(id) ? .enabled : .disabled) }
  }

  func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    try serving(host) {
      StatusChange(.disabled, from: try GrabConnections(world: $0).disable(id) ? .enabled : .disabled)
    }
  }

  func credentials(host: PluginHost) throws -> [CredentialState] {
    try serving(host) { try GrabConnections(world: $0).credentials() }.map { credential in
      CredentialState(
        credential.name, credential.isMissing ? .missing : credential.isValid ? .valid : .expired,
        expiresAt: credential.expiresAt, account: credential.account)
    }
  }

  func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool {
    try serving(host) { try GrabConnections(world: $0).refresh(name) }
  }

  func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool {
    try serving(host) { try GrabConnections(world: $0).revoke(name) }
  }
}

extension GrabConnections.Connection {
  fileprivate var provided: ProvidedConnection {
    ProvidedConnection(
      id: id, name: name, status: isEnabled ? .enabled : .disabled, description: description,
      // The name may be an email address.
      more: [
        "features": Value(features), "services": Value(services), "primary_service": "grab", "private": true,
      ])
  }
}
