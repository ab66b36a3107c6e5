@testable import IFTTT

/// A phrase with arguments that are recognizable in any text.
struct PhraseSample: Sendable {
  var phrase: Phrase
  var arguments: [String] = []
}

extension PhraseSample {
  /// One sample for each phrase.
  static var all: [PhraseSample] {
    plain.map { PhraseSample(phrase: $0) } + [
      PhraseSample(phrase: .connect(service: "Ænigma"), arguments: ["Ænigma"]),
      PhraseSample(phrase: .newAccount(email: "kai@mail.test"), arguments: ["kai@mail.test"]),
      PhraseSample(phrase: .signingIn(service: "Ænigma"), arguments: ["Ænigma"]),
      PhraseSample(phrase: .connects(first: "Ænigma", second: "Xylø"), arguments: ["Ænigma", "Xylø"]),
      PhraseSample(phrase: .connectedTo(service: "Ænigma"), arguments: ["Ænigma"]),
      PhraseSample(phrase: .signInFailed(service: "Ænigma"), arguments: ["Ænigma"]),
      PhraseSample(phrase: .refused(reason: "odd_word"), arguments: ["odd_word"]),
      PhraseSample(phrase: .accountWillBeCreated(email: "kai@mail.test"), arguments: ["kai@mail.test"]),
      PhraseSample(phrase: .waitingMinutes(5), arguments: ["5"]),
      PhraseSample(phrase: .waitingSeconds(30), arguments: ["30"]),
      PhraseSample(phrase: .keepOtherToken(login: "kai_l", expected: "mo_x"), arguments: ["kai_l", "mo_x"]),
      PhraseSample(phrase: .useFeature(title: "Ænigma"), arguments: ["Ænigma"]),
      PhraseSample(phrase: .valueFor(field: "Ænigma"), arguments: ["Ænigma"]),
      PhraseSample(phrase: .leaveAsIs(value: "Xylø"), arguments: ["Xylø"]),
      PhraseSample(phrase: .notANumber("7x"), arguments: ["7x"]),
      PhraseSample(phrase: .notAnOption("Xylø"), arguments: ["Xylø"]),
      PhraseSample(phrase: .needsValue(field: "Ænigma"), arguments: ["Ænigma"]),
      PhraseSample(phrase: .ambiguousOption("Xylø"), arguments: ["Xylø"]),
      PhraseSample(phrase: .outOfBounds(low: "-90", high: "180"), arguments: ["-90", "180"]),
      PhraseSample(phrase: .loseUnreadable(paths: "u.f[1]"), arguments: ["u.f[1]"]),
      PhraseSample(phrase: .removeSettings(3), arguments: ["3"]),
    ]
  }

  private static var plain: [Phrase] {
    [
      .loading, .loadingFailed, .retry, .emailPlaceholder, .invalidEmail, .verifying, .creatingAccount, .connecting,
      .connected, .disconnecting, .disconnected, .worksWith, .securedWith, .learnMore, .manage, .promiseOfFeatures,
      .promiseOfControl, .promiseOfProtection, .promiseOfFreedom, .acceptTerms, .terms, .notConfiguredYet,
      .configureToStart, .cancelled, .nothingChanged, .notConnected, .accountCreationFailed, .partnerSignInFailed,
      .identityNotVerified, .appCouldNotFinish, .noReasonGiven, .unknownAnswer, .pageNotExpected,
      .closeWindow, .terminalKnowsMore, .askEmail, .openPage, .pasteAddress, .required, .chooseOne, .chooseSeveral,
      .latitude, .longitude, .radius, .address, .added, .changed, .removed, .nothingToChange, .yesOrNo,
      .pointHasNoRadius, .sendOutdated, .replaceUnseen,
    ]
  }

  /// A number for each case, without gaps. A new phrase fails to compile here.
  static func number(of phrase: Phrase) -> Int {
    switch phrase {
    case .loading: 0
    case .loadingFailed: 1
    case .retry: 2
    case .connect: 3
    case .emailPlaceholder: 4
    case .invalidEmail: 5
    case .verifying: 6
    case .creatingAccount: 7
    case .newAccount: 8
    case .signingIn: 9
    case .connecting: 10
    case .connected: 11
    case .disconnecting: 12
    case .disconnected: 13
    case .worksWith: 14
    case .securedWith: 15
    case .learnMore: 16
    case .manage: 17
    case .connects: 18
    case .promiseOfFeatures: 19
    case .promiseOfControl: 20
    case .promiseOfProtection: 21
    case .promiseOfFreedom: 22
    case .acceptTerms: 23
    case .terms: 24
    case .connectedTo: 25
    case .notConfiguredYet: 26
    case .configureToStart: 27
    case .cancelled: 28
    case .nothingChanged: 29
    case .notConnected: 30
    case .accountCreationFailed: 31
    case .signInFailed: 32
    case .partnerSignInFailed: 33
    case .identityNotVerified: 34
    case .appCouldNotFinish: 35
    case .noReasonGiven: 36
    case .refused: 37
    case .unknownAnswer: 38
    case .pageNotExpected: 39
    case .closeWindow: 40
    case .terminalKnowsMore: 41
    case .askEmail: 42
    case .accountWillBeCreated: 43
    case .openPage: 44
    case .waitingMinutes: 45
    case .waitingSeconds: 46
    case .pasteAddress: 47
    case .keepOtherToken: 48
    case .valueFor: 49
    case .required: 50
    case .leaveAsIs: 51
    case .chooseOne: 52
    case .chooseSeveral: 53
    case .latitude: 54
    case .longitude: 55
    case .radius: 56
    case .address: 57
    case .notANumber: 58
    case .notAnOption: 59
    case .needsValue: 60
    case .added: 61
    case .changed: 62
    case .removed: 63
    case .removeSettings: 64
    case .nothingToChange: 65
    case .yesOrNo: 66
    case .useFeature: 67
    case .ambiguousOption: 68
    case .outOfBounds: 69
    case .pointHasNoRadius: 70
    case .sendOutdated: 71
    case .loseUnreadable: 72
    case .replaceUnseen: 73
    }
  }
}
