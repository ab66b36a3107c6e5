import API
import Applets
import Connect
import HTTP
import Secrets

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
