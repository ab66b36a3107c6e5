import HTTP
import Testing

@Suite struct ErrorStatusTests {
  private static let table: [Int: ErrorStatus] = [
    400: .badRequest, 401: .unauthorized, 403: .forbidden, 404: .notFound, 408: .timeout, 409: .conflict,
    410: .notFound, 422: .invalidParameters, 429: .rateLimited,
  ]

  @Test(arguments: 100...999) func everyStatusIsInTheTable(_ status: Int) {
    #expect(ErrorStatus(status) == Self.table[status] ?? (status >= 500 ? .serverError : .other))
  }
}
