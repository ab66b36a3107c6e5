import HTTP
import Output
import Plugins
import Session

/// IFTTT's part of `connections list`.
struct ConnectList: ConnectionList {
  let list: TrackedList
  let credentials: CredentialOptions
  let session: Session

  var isDue: Bool { list.isDue }
  var requests: [Request] { get throws { try list.requests } }

  func fetch(in loop: FetchLoop, completion: @escaping () throws -> Void) throws {
    if isDue { try session.network.readCredentials(credentials) }
    loop.add { meanwhile in
      try list.fetch(meanwhile: meanwhile)
      try completion()
    }
  }

  func select(_ fields: [FieldPath]) -> Bool { list.select(fields) }
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws { try list.forEach(body) }
  func evaluate(isAlone: Bool) throws { try list.evaluate(isAlone: isAlone) }
}
