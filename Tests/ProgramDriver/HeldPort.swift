package import HTTP
import IFTTT

/// A listener that only the test can reach. It records how it was opened, and returns the responses.
package final class HeldPort: LoopbackListener {
  package private(set) var settings: [ListenerSettings] = []
  /// The number of servers that were closed.
  package private(set) var closed = 0
  /// The ports that other programs use.
  package var taken: Set<Int> = []
  /// The hosts that this machine does not have.
  package var missing: Set<LoopbackAddress.Host> = []
  private var responders: [LoopbackAddress.Host: any HTTPResponder] = [:]

  package init() {}

  package func open(_ settings: ListenerSettings, responder: @escaping @Sendable () -> any HTTPResponder) throws
    -> any HTTPServer
  {
    self.settings.append(settings)
    if taken.contains(settings.address.port) { throw ListenerError(isAddressInUse: true, description: "taken") }
    if missing.contains(settings.address.host) {
      throw ListenerError(isAddressInUse: false, description: "no such address")
    }
    if responders[settings.address.host] == nil { responders[settings.address.host] = responder() }
    let port = settings.address.port == 0 ? 47823 : settings.address.port
    return Opened(LoopbackAddress(settings.address.host, port: port)) { [unowned self] in closed += 1 }
  }

  /// The response that a browser shows: it follows a redirect to another page of the same server.
  @discardableResult
  package func answer(
    _ target: String, _ method: String = "GET", host: String = "127.0.0.1:47823",
    over family: LoopbackAddress.Host? = nil
  ) -> Reply? {
    let reply = firstAnswer(target, method, host: host, over: family)
    guard let reply, reply.status == 303, let next = reply.fields.first(where: { $0.name == "Location" }) else {
      return reply
    }
    return firstAnswer(next.value, host: host, over: family)
  }

  /// The response to a single request.
  package func firstAnswer(
    _ target: String, _ method: String = "GET", host: String = "127.0.0.1:47823",
    over family: LoopbackAddress.Host? = nil
  ) -> Reply? {
    let responder = family.map { responders[$0] } ?? responders[.v4] ?? responders[.v6]
    return responder?.respond(to: ReceivedRequest(method: method, target: target, fields: [HeaderField("Host", host)]))
  }

  private final class Opened: HTTPServer {
    let address: LoopbackAddress
    private let closing: () -> Void
    init(_ address: LoopbackAddress, _ closing: @escaping () -> Void) {
      (self.address, self.closing) = (address, closing)
    }
    package func close() { closing() }
  }
}
