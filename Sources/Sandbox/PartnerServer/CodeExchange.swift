import HTTP
import Text
import World

extension Emulator {
  /// Whether the service's codes are exchanged at its token URL.
  func exchangesCodes(of service: String?) -> Bool {
    runtime.map { $0.service == service && $0.rules.signIn != nil } ?? false
  }

  /// Exchange a code for the tokens of a user, and request the user's id with them.
  ///
  /// - Returns: nil if the server has not responded yet. The result of the current evaluation is then discarded.
  mutating func exchange(
    _ code: String, redirectURI: String, connection: String?
  ) throws(SignInFailure) -> ServiceIdentity? {
    guard let causeKey, Secret(parsing: code) != nil else { throw SignInFailure(reason: "the code is not valid") }
    guard runtime?.signIns.use(code: code, by: causeKey) == true else {
      throw SignInFailure(reason: "the code was used before")
    }
    let exchange = PartnerCall(
      method: .post, path: [], isForUser: false, grant: .code(code, redirectURI: redirectURI), connection: connection)
    guard let response = partnerResponse(to: exchange) else { return nil }
    guard let tokens = response.tokens else {
      throw SignInFailure(reason: masked(response.exchangeProblem), isRecorded: true)
    }
    let userInfo = PartnerCall(
      method: .get, path: ["user", "info"], newToken: tokens.access, connection: connection)
    guard let described = partnerResponse(to: userInfo) else { return nil }
    guard let user = described.user else {
      throw SignInFailure(reason: masked(described.userProblem), isRecorded: true)
    }
    guard !allUsers.contains(where: { $0.id == user.id && $0.service != runtime?.service }) else {
      throw SignInFailure(reason: "another service of the sandbox has a user with this id")
    }
    return ServiceIdentity(id: user.id, name: user.name, tokens: tokens)
  }

  /// Make the user of the service a user of the sandbox, with the tokens of the sign-in. A user with the same id stays
  /// the same user, whatever the account.
  mutating func complete(
    _ identity: ServiceIdentity, of service: String, by account: SandboxState.Account, isByCode: Bool,
    at now: Timestamp
  ) -> SignInTable.Completed? {
    if let index = state.users.firstIndex(where: { $0.id == identity.id && $0.service == service }) {
      (state.users[index].accessToken, state.users[index].name) = (identity.tokens.access, identity.name)
    } else if user(identity.id, of: service) == nil {
      state.users.append(
        SandboxFixtures.User(
          id: identity.id, service: service, login: account.login, email: account.email.isEmpty ? nil : account.email,
          userToken: state.makeWord(of: 48), accessToken: identity.tokens.access, name: identity.name))
    }
    guard let causeKey else { return nil }
    return runtime?.completeSignIn(identity, isByCode: isByCode, by: causeKey, at: now)
  }

  /// A text from the server with credentials masked.
  func masked(_ text: String, hiding hidden: [String] = []) -> String { runtime?.masked(text, hiding: hidden) ?? "" }
}
