import World

extension Emulator {
  /// Whether the code in the URL replaces signing in at the partner service.
  ///
  /// In the SDKs' URL it is the partner's own OAuth code. The sandbox has no partner to verify it with, so a code
  /// that starts with `oc_` is valid, once. In the Connect URL it is a provisional access code of the owner, unused
  /// and younger than 48 hours.
  func codeIsGood(for visit: Visit, at now: Timestamp) -> Bool {
    guard let code = visit.value("code") else { return false }
    switch visit.kind {
    case .embedded: return false
    case .access: return isGood(oauthCode: code)
    case .connect:
      guard let found = state.codes.first(where: { $0.code == code }) else { return false }
      let age = now.milliseconds - found.issuedAt
      return !found.isUsed && found.service == visit.thing.services.first?.slug
        && (0..<Self.provisionalCodeLife).contains(age) && isGood(oauthCode: found.oauthCode)
    }
  }

  mutating func useCode(of visit: Visit) {
    guard let code = visit.value("code") else { return }
    if visit.kind == .access {
      state.usedOAuthCodes.insert(code)
    } else if let place = state.codes.firstIndex(where: { $0.code == code }) {
      state.codes[place].isUsed = true
      state.usedOAuthCodes.insert(state.codes[place].oauthCode)
    }
  }

  private func isGood(oauthCode: String) -> Bool {
    oauthCode.utf8.starts(with: "oc_".utf8) && !state.usedOAuthCodes.contains(oauthCode)
  }
}
