import HTTP
import JSON
import Testing

@testable import IFTTT

/// What the responses for many users have in common is read once, and shows in no connection.
struct SharedPartsTests {
  private func response(_ body: [UInt8]) -> Response { Response(status: 200, body: body) }

  /// Each response must be read as if it were the only one.
  private func check(_ bodies: [[UInt8]], of id: String) throws {
    let (shared, id) = (SharedParts(), try #require(ConnectionID(parsing: id)))
    for (index, body) in bodies.enumerated() {
      let alone = try? FetchedConnection(response(body), for: id).connection
      let read = try? shared.read(response(body), for: id)
      #expect(read?.connection == alone, "response \(index)")
      for pending in [false, true] {
        #expect(read?.document(pending: pending) == alone?.document(pending: pending), "response \(index)")
      }
    }
  }

  @Test(arguments: Fixture.allCases) func everyFixtureIsReadAsAlone(_ fixture: Fixture) throws {
    let (bytes, id) = (try fixture.bytes(), try fixture.connection().id.description)
    let other = try JSONValue(parsing: bytes).object.map { object in
      var object = object
      (object["user_status"], object["user_connection"], object["name"]) = ("disabled", nil, "Another name")
      return JSONValue.object(object).bytes
    }
    try check([bytes, bytes, try #require(other), bytes, Array("{}".utf8), bytes], of: id)
  }

  @Test func otherResponsesAreReadAnew() throws {
    let first = #"{"type":"connection","id":"x","services":[{"service_id":"a"}],"features":[{"id":"f","title":"F"}]"#
    let bodies = [
      first + "}", first + #","user_status":"enabled"}"#,
      // Another part, a part less, and no part.
      first.replacing(#""title":"F""#, with: #""title":"G""#) + "}", first + "}",
      #"{"type":"connection","id":"x","services":[{"service_id":"a"}]}"#, first + "}", #"{"id":"x"}"#, first + "}",
      // The last of two members counts, and an escaped key is the same key.
      first + #","services":[{"service_id":"b"}]}"#, first + #","serv\u0069ces":[{"service_id":"b"}]}"#, first + "}",
      // The parts of a list are in its element.
      #"{"type":"list","data":[{"id":"x","services":[{"service_id":"c"}]}]}"#,
      #"{"type":"list","data":[{"id":"x","services":[{"service_id":"d"}]}]}"#,
      first.replacing(#""type":"connection""#, with: #""type":"list","data":[{"id":"x"}]"#) + "}", first + "}",
      // Skipped elements are reported each time.
      first.replacing(#"[{"service_id":"a"}]"#, with: "[3]") + "}",
      first.replacing(#"[{"service_id":"a"}]"#, with: "[3]") + "}",
      // Errors, another connection, and damaged text.
      #"{"type":"error","message":"no"}"#, first.replacing(#""id":"x""#, with: #""id":"y""#) + "}", first,
      first + "} {", first + "}",
    ]
    try check(bodies.map { Array($0.utf8) }, of: "x")
  }
}
