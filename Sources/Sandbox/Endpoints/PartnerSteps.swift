import HTTP
import JSON

extension Emulator {
  /// Run an action on the partner's server.
  /// - Throws: The error response if the server failed or skipped it.
  mutating func runOnPartner(_ call: StepRequest, _ subject: RequestSubject) throws(ErrorResponse) {
    let request = PartnerCall(
      method: .post, path: ["actions", call.step.slug],
      body: PartnerBody.step(
        .actions, fields: call.step.fieldValues(call.values), connection: subject.connection.id),
      user: subject.user.id, connection: subject.connection.id)
    guard let response = partnerResponse(to: request) else { return }
    guard response.rows?.isEmpty == false else { throw .downstream(response) }
  }

  /// Perform a query on the partner's server.
  /// - Parameter fields: the overrides, as sent in the request; the next page repeats them.
  mutating func performOnPartner(
    _ call: StepRequest, _ subject: RequestSubject, limit: Int, cursor: String?, including names: [String]
  ) throws(ErrorResponse) -> EmulatorResponse {
    var body = PartnerBody.step(
      .queries, fields: call.step.fieldValues(call.values), connection: subject.connection.id)
    body["limit"] = JSONValue(limit)
    if let cursor { body["cursor"] = .string(cursor) }
    // C14: Connect calls this `includes`.
    if !names.isEmpty { body["include"] = .array(names.map(JSONValue.string)) }
    let request = PartnerCall(
      method: .post, path: ["queries", call.step.slug], body: body, user: subject.user.id,
      connection: subject.connection.id)
    guard let response = partnerResponse(to: request) else { return EmulatorResponse() }
    guard let rows = response.rows else { throw .downstream(response) }
    var list: JSONObject = ["type": "list", "data": .array(rows.map { .object($0.asConnectRow) })]
    if let cursor = response.cursor {
      list["next"] = ["fields": .object(call.overrides), "cursor": .string(cursor)]
    }
    return EmulatorResponse(body: JSONValue.object(list).bytes)
  }
}

extension JSONObject {
  /// A row of the Service API as the Connect API sends it: nested queries have other keys.
  fileprivate var asConnectRow: JSONObject {
    JSONObject(
      members: members.map { key, value in
        guard let fields = value["queryFields"] else { return (key, value) }
        guard let rows = value["data"]?.array else { return (key, ["type": "query", "fields": fields]) }
        let data = rows.map { row in row.object.map { .object($0.asConnectRow) } ?? row }
        return (key, ["type": "list", "data": .array(data)])
      })
  }
}
