import API
import Connect
import Testing

/// What becomes of the partner's OAuth code (reference: activation.md, section 9).
struct ActivationCodeTests {
  @Test func theSDKURLTakesItAsItIs() {
    var talk = prepared(.stranger.with(\.hasOAuthCode, true))
    talk.hears(.prepared, .open(.email(.kai, isNew: false), .oauth), .wait)
  }

  @Test func theConnectURLTakesItExchanged() {
    var talk = prepared(.service.with(\.hasOAuthCode, true))
    talk.hears(.prepared, .exchangeCode)
    talk.hears(.codeExchanged, .open(.email(.kai, isNew: false), .provisional), .wait)
  }

  @Test func withoutItTheUserSignsInThere() {
    var talk = prepared(.service.with(\.hasOAuthCode, true))
    talk.hears(.prepared, .exchangeCode)
    talk.hears(
      .codeRefused(.status(422)), .note(.codeRefused(.status(422))), .open(.email(.kai, isNew: false), .none), .wait)
  }

  @Test func withoutAServiceKeyItCannotBeExchanged() {
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
      // It knows people by e-mail alone, and nobody need tell it whether they are new.
      talk.hears(.loaded(.unknown), .prepare)
    }
    return talk
  }
}
