import API
import Connect
import Testing

/// The handling of the partner's OAuth code (reference: activation.md, section 9).
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
    let wish = ActivationFlow.Wish(page: .connect, level: .user).with(\.email, .kai).with(\.hasOAuthCode, true)
    var talk = prepared(wish)
    talk.hears(.prepared, .note(.codeNeedsKey), .open(.email(.kai, isNew: false), .none), .wait)
  }

  private func prepared(_ wish: ActivationFlow.Wish) -> ActivationScript {
    var talk = ActivationScript(wish)
    talk.hears(.begun, .load(wish.level))
    if wish.page == .sdk {
      talk.hears(.loaded(.unknown), .findAccount(.kai))
      talk.hears(.account(true), .prepare)
    } else {
      // The Connect URL identifies users by e-mail only, and needs no flag for new ones.
      talk.hears(.loaded(.unknown), .prepare)
    }
    return talk
  }
}
