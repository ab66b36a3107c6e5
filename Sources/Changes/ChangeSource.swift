/// The subjects of a run and what each should become, in the requested order. Each can be read repeatedly, so that
/// a long run need not hold them.
package struct ChangeSource {
  package let count: Int
  /// The subjects alone, which may take less time than the whole requests.
  package let subject: (Int) -> Subject
  private let at: (Int) throws -> SubjectChange.Request

  package init(
    count: Int, subject: @escaping (Int) -> Subject, at: @escaping (Int) throws -> SubjectChange.Request
  ) {
    (self.count, self.subject, self.at) = (count, subject, at)
  }

  package init(_ requests: [SubjectChange.Request]) {
    self.init(count: requests.count, subject: { requests[$0].subject }) { requests[$0] }
  }

  package subscript(_ index: Int) -> SubjectChange.Request { get throws { try at(index) } }
}
