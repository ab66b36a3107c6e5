/// One object laid out for reading: labels with their values, and sections of more of them.
package struct Card: Sendable {
  package indirect enum Item: Sendable {
    case line(label: String, value: String, tone: Tone = .plain)
    /// Text without a label.
    case text(String, tone: Tone = .plain)
    case section(title: String, items: [Item])
  }
  /// A first line of its own; none when nil.
  package var title: String?
  package var items: [Item]

  package init(title: String? = nil, items: [Item]) { (self.title, self.items) = (title, items) }
}
