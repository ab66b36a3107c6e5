package import World

/// One attempt of a request and its outcome, with credentials replaced by their stand-ins.
package struct RecordedExchange: Sendable, Equatable {
  /// The request. The headers are informational; a response is matched by the other properties.
  package struct Question: Sendable, Equatable {
    package var method: String
    package var url: String
    package var headers: [Response.Field]
    package var body: [UInt8]?
    package init(method: String, url: String, headers: [Response.Field] = [], body: [UInt8]? = nil) {
      (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
  }

  /// Counted from 1, in the order in which exchanges ended.
  package var number: Int
  package var question: Question
  /// Nil if the program canceled the exchange before it ended.
  package var result: Result<Response, TransportError>?
  package var endedAt: Timestamp
  /// The time since the run began, in whole microseconds.
  package var startedAfter: Duration
  package var endedAfter: Duration

  package init(
    number: Int, question: Question, result: Result<Response, TransportError>?, endedAt: Timestamp,
    startedAfter: Duration, endedAfter: Duration
  ) {
    (self.number, self.question, self.result) = (number, question, result)
    (self.endedAt, self.startedAfter, self.endedAfter) = (endedAt, startedAfter, endedAfter)
  }
}
