package import HTTP
package import IFTTT

extension LandingPage.Outcome {
  /// - Parameters:
  ///   - what: the redirect; nil if the request was unexpected.
  ///   - isPending: whether configuration remains to be done after the activation.
  package init(_ what: ActivationRedirect?, isPending: Bool) {
    self =
      switch what {
      case nil: .unexpected
      case .complete: isPending ? .pending : .connected
      case .back: .back
      case .cancelled: .cancelled
      case .accountCreationFailed: .failed(.accountCreation)
      case .authorizationFailed(.partnerSignIn): .failed(.partnerSignIn)
      case .authorizationFailed(.identityNotVerified): .failed(.identity)
      case .authorizationFailed(.appCouldNotFinish): .failed(.app)
      case .authorizationFailed(.other(let word)): .failed(.other(word))
      case .authorizationFailed(.unexplained): .failed(.noReason)
      case .unknown: .failed(.unknownAnswer)
      }
  }
}

extension Reply {
  package init(_ page: LandingPage) {
    self.init(status: 200, fields: page.fields.map { HeaderField($0.0, $0.1) }, body: page.html)
  }
}
