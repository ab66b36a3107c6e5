package import HTTP
package import Secrets

/// What every call to one of IFTTT's APIs needs: the client that sends, the API's base URL, and who is asking.
package struct Caller {
  package let http: HTTPClient
  package let base: WebURL
  package let authentication: Authentication
  package let inviteCode: Secret?

  package init(http: HTTPClient, base: WebURL, authentication: Authentication, inviteCode: Secret?) {
    (self.http, self.base, self.authentication, self.inviteCode) = (http, base, authentication, inviteCode)
  }
}
