import HTTP
import Sandbox
import Testing

/// The contents of the request log, and its limits.
@Suite struct RequestLogTests {
  private func record(_ path: String, _ size: Int = 0) -> RecordedRequest {
    RecordedRequest(
      method: "POST", target: path, headers: [], body: [UInt8](repeating: 65, count: size), status: 200,
      faults: AppliedFaults(), at: EmulatorSession.now)
  }

  @Test func theOldestRequestsAreDropped() {
    var log = RequestLog()
    for number in 1...2500 { log.add(record("/\(number)")) }
    #expect(log.count == 2500 && log.all.count == RequestLog.limit)
    #expect(log.all.map(\.number) == Array(1501...2500))
    #expect(log.all.first?.path == "/1501" && log.all.last?.path == "/2500")
  }

  @Test func bodiesAreTruncatedAndDroppedFirst() {
    var log = RequestLog()
    for number in 1...RequestLog.limit { log.add(record("/\(number)", 100_000)) }
    #expect(log.all.count == RequestLog.limit)
    #expect(log.all.reduce(0) { $0 + $1.body.count } <= 4 << 20)
    #expect(log.all.last?.body.count == 16 * 1024 && log.all.last?.bodySize == 100_000)
    #expect(log.all.first?.body.isEmpty == true && log.all.first?.bodySize == 100_000)
  }
}
