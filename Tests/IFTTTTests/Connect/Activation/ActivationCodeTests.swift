import IFTTT
import Testing

/// The handling of the partner's OAuth code (docs/api/activation.md §9).
struct ActivationCodeTests {
  @Test func sdkURLUsesCodeUnchanged() {
    var script = prepared(.stranger.with(\.hasOAuthCode, true))
    script.receives(.prepared, .open(.email(.kai, isNew: false), .oauth), .wait)
  }

  @Test func connectURLUsesExchangedCode() {
    var script = prepared(.service.with(\.hasOAuthCode, true))
    script.receives(.prepared, .exchangeCode)
    script.receives(.codeExchanged, .open(.email(.kai, isNew: false), .provisional), .wait)
  }

  @Test func rejectedExchangeOpensURLWithoutCode() {
    var script = prepared(.service.with(\.hasOAuthCode, true))
    script.receives(.prepared, .exchangeCode)
    script.receives(
      .codeRefused(.status(422)), .note(.codeRefused(.status(422))), .open(.email(.kai, isNew: false), .none), .wait)
  }

  @Test func exchangeNeedsServiceKey() {
    let request = ActivationFlow.ActivationRequest(page: .connect, level: .user).with(\.email, .kai).with(
      \.hasOAuthCode, true)
    var script = prepared(request)
    script.receives(.prepared, .note(.codeNeedsKey), .open(.email(.kai, isNew: false), .none), .wait)
  }

  private func prepared(_ request: ActivationFlow.ActivationRequest) -> ActivationScript {
    var script = ActivationScript(request)
    script.receives(.begun, .load(request.level))
    if request.page == .sdk {
      script.receives(.loaded(.unknown), .findAccount(.kai))
      script.receives(.account(true), .prepare)
    } else {
      // The Connect URL identifies users by e-mail only, and needs no flag for new ones.
      script.receives(.loaded(.unknown), .prepare)
    }
    return script
  }
}
