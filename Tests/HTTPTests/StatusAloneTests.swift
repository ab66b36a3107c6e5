import HTTP
import Testing

/// Requests for which only the status of the response matters.
@Suite struct StatusAloneTests {
  let server: Server

  init() throws { server = try Server("faults.py") }

  private func post(_ path: String) throws -> Request {
    var request = Request(.post, try server.url(path), isRepeatable: true)
    request.needsStatusAlone = true
    return request
  }

  @Test(arguments: ["/reset-in-body", "/truncated", "/cut", "/large", "/endless", "/bomb", "/broken-gzip"])
  func statusCountsEvenIfBodyFails(_ path: String) throws {
    #expect(try exchange(try post(path), retries: 2).status == 200)
    #expect(try server.records().count == 1)
  }

  @Test func endlessBodyIsReadOnlyUntilTimeout() throws {
    #expect(try exchange(try post("/drip"), timeout: .milliseconds(150), retries: 2).status == 200)
  }

  @Test(arguments: ["/reset-before", "/interim-alone"])
  func missingFinalStatusIsAFailure(_ path: String) throws {
    let (failure, tries) = try failure(try post(path), retries: 2)
    #expect(failure.mayHaveArrived)
    #expect(tries == 3)
  }
}
