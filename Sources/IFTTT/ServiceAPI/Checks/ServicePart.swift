/// A group of checks that `--only` and `--skip` can name.
package enum ServicePart: String, Sendable, CaseIterable {
  case status, setup, user, triggers, queries, actions, options, validation, webhooks
  case signIn = "sign-in"
}

extension ServiceCheck {
  /// All checks, in the order of their parts.
  package static let all: [ServiceCheck] = ServicePart.allCases.reduce(into: []) { all, part in
    all += checks(of: part).filter { !all.contains($0) }
  }

  /// The checks of a part, in the order of the report.
  package static func checks(of part: ServicePart) -> [ServiceCheck] {
    switch part {
    case .status: [.statusOK, .statusWithoutBody, .wrongKey]
    case .setup: [.setup, .setupSamples, .contentType, .wrongKey]
    case .user: [.userInfo, .userID, .userName, .contentType, .wrongToken]
    case .triggers:
      [
        .response, .contentType, .extraData, .wrongKey, .wrongToken, .missingFields, .missingField, .threeItems,
        .at50Most, .limitOne, .limitZero, .newestFirst, .uniqueIDs, .stableIDs, .timestamps, .ingredients,
        .deleteIdentity,
      ]
    case .queries:
      [
        .response, .contentType, .extraData, .wrongKey, .wrongToken, .missingFields, .missingField, .ingredients,
        .queryLimit, .cursor, .lastPage,
      ]
    case .actions:
      [
        .response, .contentType, .extraData, .wrongKey, .wrongToken, .missingFields, .missingField, .actionOneItem,
        .actionID, .recordSkipping,
      ]
    case .options: [.response, .contentType, .extraData, .wrongKey, .wrongToken, .optionsList]
    case .validation:
      [
        .contentType, .extraData, .wrongKey, .wrongToken, .fieldResults, .validValue, .invalidValue, .validationMessage,
      ]
    case .webhooks: [.webhookAccepted, .webhookWrongKey]
    case .signIn:
      [.authorize, .state, .token, .tokenType, .badCode, .userInfo, .refresh, .olderRefreshToken, .badRefreshToken]
    }
  }
}
