import HTTP
import IFTTT
import Session
import Text

/// The client that makes the exchange.
enum ExchangeClient {
  case connect(ConnectClient)
  case applets(AppletsClient)

  func exchange(_ user: String, _ accessToken: Secret) throws(APIError) -> Secret {
    switch self {
    case .connect(let client): try client.exchange(userID: user, accessToken: accessToken)
    case .applets(let client): try client.exchange(userID: user, accessToken: accessToken)
    }
  }

  func request(_ user: String, _ accessToken: Secret) throws(APIError) -> Request {
    switch self {
    case .connect(let client): try client.exchangeRequest(userID: user, accessToken: accessToken)
    case .applets(let client): try client.exchangeRequest(userID: user, accessToken: accessToken)
    }
  }

  func token(in result: Result<Response, HTTPError>, to request: Request) -> Result<Secret, APIError> {
    switch self {
    case .connect(let client): client.exchangedToken(in: result, to: request)
    case .applets(let client): client.exchangedToken(in: result, to: request)
    }
  }
}

extension Problem {
  /// The failure of an exchange. Another exchange would fail too, so the hint names the credentials that were sent.
  static func ofExchange(_ failure: APIError, of user: String) -> Problem {
    var problem = Problem(failure, subject: "user '\(user)'")
    if problem.code == .unauthorized, !problem.isSkip {
      problem.hint =
        "Check the user id and the access token, which your service must have issued for this user, and the service key: \(ifttt: "token verify")."
    }
    return problem
  }
}
