import IFTTT
import Testing

/// The handling of the partner's OAuth code (docs/api/activation.md §9).
struct ActivationCodeTests {
  @Test func sdkURLUsesCodeUnchanged() {
    var talk = prepared(.stranger.with(\.hasOAuthCode, true))
    talk.hears(.prepared, .open(.email(.kai, isNew: false), .oauth), .wait)
  }

  @Test func connectURLUsesExchangedCode() {
    var talk = prepared(.service.with(\.hasOAuthCode, true))
    talk.hears(.prepared, .exchangeCode)
    talk.hears(.codeExchanged, .open(.email(.kai, isNew: false), .provisional), .wait)
  }

  @Test func rejectedExchangeOpensURLWithoutCode() {
    var talk = prepared(.service.with(\.hasOAuthCode, true))
    talk.hears(.prepared, .exchangeCode)
    talk.hears(
      .codeRefused(.status(422)), .note(.codeRefused(.status(422))), .open(.email(.kai, isNew: false), .none), .wait)
  }

  @Test func exchangeNeedsServiceKey() {
    let request = ActivationFlow.ActivationRequest(page: .connect, level: .user).with(\.email, .kai).with(
      \.hasOAuthCode, true)
    var talk = prepared(request)
    talk.hears(.prepared, .note(.codeNeedsKey), .open(.email(.kai, isNew: false), .none), .wait)
  }

  private func prepared(_ request: ActivationFlow.ActivationRequest) -> ActivationScript {
    var talk = ActivationScript(request)
    talk.hears(.begun, .load(request.level))
    if request.page == .sdk {
      talk.hears(.loaded(.unknown), .findAccount(.kai))
      talk.hears(.account(true), .prepare)
    } else {
      // The Connect URL identifies users by e-mail only, and needs no flag for new ones.
      talk.hears(.loaded(.unknown), .prepare)
    }
    return talk
  }
}
