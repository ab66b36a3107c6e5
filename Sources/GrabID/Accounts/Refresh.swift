import Secrets
import World

/// Exchanges a refresh token for new tokens, once for all processes: a second use looks like theft to a server that
/// rotates (RFC 9700 §2.2.2), and would sign everybody out.
struct Refresh {
  let world: GrabWorld
  var settings = GrabSettings()
  private var book: AccountBook { AccountBook(world: world) }

  init(world: GrabWorld, settings: GrabSettings = GrabSettings()) { (self.world, self.settings) = (world, settings) }

  /// The account with an access token that lasts, refreshed where that is due.
  /// - Throws: ``GrabFailure`` where it cannot be had without a person.
  func usable(_ account: Account) throws -> Account {
    guard account.isSignedIn else { throw AccountBook.notSignedIn(account) }
    guard account.refreshIsDue(at: world.now) else { return account }
    guard account.tokens?.refresh != nil else {
      if account.accessIsValid(at: world.now) { return account }
      throw GrabFailure(
        .refreshRefused, "the access token of \(ShownText.shown(account.name, limit: 80)) has expired",
        reason: "the service gave no refresh token", hint: "Run ifttt grab login.")
    }
    return try refreshed(account)
  }

  /// The account with new tokens: those that another process fetched since `account` was read, else fetched here.
  func refreshed(_ account: Account) throws -> Account {
    try book.locked(account.key) {
      guard var row = try book.account(key: account.key), let tokens = row.tokens else {
        throw AccountBook.notSignedIn(account)
      }
      if row.generation != account.generation, !row.refreshIsDue(at: world.now) { return row }
      guard let token = tokens.refresh else {
        throw GrabFailure(
          .noRefreshToken, "no refresh token is kept for \(ShownText.shown(row.name, limit: 80))",
          hint: "The service gave none. Run ifttt grab login when the access token has expired.")
      }
      let client = try world.client(of: row, over: settings)
      let metadata = try Discovery(world: world, client: client).metadata()
      let wasInterrupted = row.refreshingSince != nil
      row.refreshingSince = world.now
      // Nothing is spent before the store has shown that it can be written.
      try save(row)
      return try spend(token, of: row, client, metadata, wasInterrupted: wasInterrupted)
    }
  }

  private func spend(
    _ token: Secret, of row: Account, _ client: GrabClient, _ metadata: ProviderMetadata, wasInterrupted: Bool
  ) throws -> Account {
    let answer: TokenAnswer
    do {
      answer = try TokenEndpoint(world: world, client: client, url: metadata.tokenEndpoint).refresh(token)
    } catch var failure as GrabFailure {
      var row = row
      if failure.event == .refreshRefused {
        (row.tokens, row.generation) = (nil, row.generation + 1)
        if wasInterrupted {
          failure.message = "the last refresh was interrupted, and the service takes its token no longer"
        }
      }
      // Without an answer nobody knows whether the token is spent: the mark stays for the next one to see.
      guard failure.status != nil || failure.nothingWasSent else { throw failure }
      row.refreshingSince = nil
      try save(row)
      throw failure
    }
    let fresh = try accepted(answer, of: row, client, metadata)
    try save(fresh, isObtained: true)
    return fresh
  }

  private func accepted(
    _ answer: TokenAnswer, of row: Account, _ client: GrabClient, _ metadata: ProviderMetadata
  ) throws -> Account {
    var fresh = row
    let now = world.now
    if let id = answer.idToken {
      let check = RefreshCheck(account: row)
      do {
        let verified = try KeyRing(world: world, client: client).verify(
          id.revealed, metadata: metadata,
          rules: check.rules(
            now: now, allowance: client.allowance, client: client, accessToken: answer.accessToken.revealed))
        try check.compare(verified)
        fresh.keyThumbprint = verified.keyThumbprint
      } catch let fault as TokenFault { throw fault.failure }
    }
    fresh.tokens = Account.Tokens(
      access: answer.accessToken, expiresAt: answer.lifetime.map { now - .seconds(-$0) },
      refresh: answer.refreshToken ?? row.tokens?.refresh, id: answer.idToken ?? row.tokens?.id, fetchedAt: now)
    if let scope = answer.scope { fresh.scopes = scope.split(separator: " ").map(String.init) }
    fresh.generation += 1
    fresh.refreshingSince = nil
    return fresh
  }

  private func save(_ account: Account, isObtained: Bool = false) throws {
    try world.host.changeCredentials(
      put: [(account.storedName, account.stored)], delete: [], areObtained: isObtained)
  }
}
