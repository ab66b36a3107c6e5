import DeveloperCommands
import HTTP
import IFTTT
import JSON
import Session
import Store
import Text
import World

/// A webhook that a listener receives, after the server has read the request: only the documented paths are accepted,
/// and only names of this machine; its row is JSON, its line is one line, and a forwarded copy goes nowhere else and
/// carries no field of the old connection.
///
/// The input has the target, the `Host`, a header field and its value in one line each, and then the body.
enum WebhookProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let parts = bytes.split(separator: 0x0a, maxSplits: 4, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    let (target, host) = (parts[0], parts.count > 1 ? parts[1] : "")
    if let problem = targetProblem(target) ?? hostProblem(host) { return problem }
    let rejection = Rejection(status: 404, reason: "no such path", request: RequestLine(method: host, target: target))
    guard rejection.description.count < 400 else { return "a note that a client can make long" }
    guard let target = RequestTarget.read(target)?.target, let path = WebhookPath(target: target) else { return nil }
    for word in [path.type, path.event] {
      guard (1...100).contains(word.utf8.count), word.utf8.allSatisfy(isPlain) else {
        return "a type or event with text"
      }
    }
    guard target.utf8.count >= "/ifttt/v1/webhooks/".utf8.count, target.utf8.first == UInt8(ascii: "/") else {
      return "another path"
    }
    let body = bytes.split(separator: 0x0a, maxSplits: 4, omittingEmptySubsequences: false).dropFirst(4).first ?? []
    let headers = parts.count > 3 ? [ReceivedWebhook.Header(parts[2], parts[3])] : []
    let webhook = ReceivedWebhook(
      receivedAt: Timestamp(milliseconds: 0), type: path.type, event: path.event,
      requestID: headers.first?.value, headers: headers, body: Array(body))
    return rowProblem(of: webhook) ?? forwardingProblem(of: webhook)
  }

  private static func rowProblem(of webhook: ReceivedWebhook) -> String? {
    let row = WebhookRow(StoredWebhook(number: 7, webhook: webhook, isRepeated: false, forwarding: nil))
    guard !row.line.hasControls() else { return "a line with a control character" }
    guard let json = try? JSONValue(parsing: row.bytes), !row.bytes.hasControls() else {
      return "a row that is not JSON"
    }
    guard json["type"]?.string == webhook.type, json["event"]?.string == webhook.event, json["id"]?.string == "7" else {
      return "a row of another webhook"
    }
    return nil
  }

  private static func forwardingProblem(of webhook: ReceivedWebhook) -> String? {
    guard let prefix = try? WebURL(parsing: "http://127.0.0.1:8080/api"), let key = Secret(parsing: "key-0123456789")
    else { return "the target cannot be made" }
    let request = ForwardTarget(ServiceURL(prefix: prefix), key: key, sendsKey: false).request(for: webhook)
    guard request.url.wire == "http://127.0.0.1:8080/api/ifttt/v1/webhooks/\(webhook.type)/\(webhook.event)" else {
      return "it is forwarded to \(request.url.wire)"
    }
    guard request.body == webhook.body else { return "another body is forwarded" }
    let forbidden: Set<String> = ["host", "content-length", "transfer-encoding", "connection", "upgrade", "expect"]
    return request.headers.contains { forbidden.contains($0.name.lowercased()) } ? "a field of the connection" : nil
  }

  // MARK: What follows the parser

  private static func targetProblem(_ text: String) -> String? {
    guard let (target, authority) = RequestTarget.read(text) else { return nil }
    guard target.utf8.first == UInt8(ascii: "/") else { return "a target that is not a path" }
    guard let authority else { return target == text ? nil : "another path" }
    guard !authority.utf8.contains(UInt8(ascii: "/")), !authority.utf8.contains(UInt8(ascii: "?")) else {
      return "an authority with a path"
    }
    return text.lowercased().utf8.starts(with: "http://".utf8) && text.utf8.count >= target.utf8.count
      ? nil : "another scheme"
  }

  /// Names of this machine, by another rule: the text is rebuilt from its numbers.
  private static func hostProblem(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let name: ArraySlice<UInt8>
    let port: ArraySlice<UInt8>
    if bytes.starts(with: "[::1]".utf8) {
      (name, port) = (bytes[..<5], bytes[5...])
    } else {
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
      (name, port) = (bytes[..<colon], bytes[colon...])
    }
    let isPort =
      port.isEmpty
      || port.first == UInt8(ascii: ":") && port.count <= 6 && port.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
    let numbers = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).compactMap {
      UInt8(String(decoding: $0, as: UTF8.self))
    }
    let isQuad =
      numbers.count == 4 && numbers[0] == 127
      && name.elementsEqual(numbers.map(String.init).joined(separator: ".").utf8)
    let isName = String(decoding: name, as: UTF8.self).lowercased() == "localhost" && name.count == 9
    let isOwn = isPort && (isQuad || isName || name.elementsEqual("[::1]".utf8))
    let isAccepted = HostField.isAccepted(text, allowing: [])
    return isAccepted == isOwn ? nil : "the host '\(text)' is \(isOwn ? "rejected" : "accepted")"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || 0x30...0x39 ~= byte || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}
