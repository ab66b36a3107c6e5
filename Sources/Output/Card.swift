/// One object laid out for reading: labeled values, and sections with more of them.
package struct Card: Sendable {
  package indirect enum Item: Sendable {
    case line(label: String, value: String, tone: Tone = .plain)
    /// Text without a label.
    case text(String, tone: Tone = .plain)
    case section(title: String, items: [Item])
  }
  /// A separate first line; none if nil.
  package var title: String?
  package var items: [Item]

  package init(title: String? = nil, items: [Item]) { (self.title, self.items) = (title, items) }
}
