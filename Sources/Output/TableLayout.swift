/// Distributes a terminal's width among columns.
enum TableLayout {
  static let gap = 2
  /// The minimum width of a shortened column: three letters and the ellipsis.
  static let least = 4

  /// The columns' widths: `natural` if they fit or there is no limit. Otherwise the widest columns that may be
  /// shortened are reduced to one width. If that is not enough, the columns that should stay complete are shortened too,
  /// and only if even the minimum does not fit, lines exceed the terminal's width.
  static func widths(natural: [Int], overflow: [Column.Overflow], fitting limit: Int?) -> [Int] {
    guard let limit else { return natural }
    var widths = natural
    let leasts = zip(natural, overflow).map { width, overflow in
      switch overflow {
      case .truncate: least
      case .elide(let least): max(least, Self.least)
      case .keep: width
      }
    }
    shrink(&widths, to: limit, leasts)
    shrink(&widths, to: limit, natural.map { min($0, least) })
    return widths
  }

  private static func shrink(_ widths: inout [Int], to limit: Int, _ leasts: [Int]) {
    var excess = widths.reduce(gap * (widths.count - 1), +) - limit
    while excess > 0 {
      let shrinkable = widths.indices.filter { widths[$0] > leasts[$0] }
      guard let widest = shrinkable.map({ widths[$0] }).max() else { break }
      let all = shrinkable.filter { widths[$0] == widest }
      // Down to the next widest, as far as all may shrink, or as far as needed.
      let next = (shrinkable.map { widths[$0] }.filter { $0 < widest } + all.map { leasts[$0] }).max() ?? least
      let step = min(widest - next, (excess + all.count - 1) / all.count)
      for place in all {
        let cut = min(step, excess)
        widths[place] -= cut
        excess -= cut
      }
    }
  }
}
