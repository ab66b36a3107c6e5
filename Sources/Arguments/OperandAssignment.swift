/// Deals the words that are no options out to a command's positional arguments.
enum OperandAssignment {
  /// - Returns: for each word the index of its argument, as many as there are places for, and the first required
  ///   argument that got none.
  static func of(_ count: Int, to arguments: [ArgumentSchema]) -> (places: [Int], missing: Int?) {
    // Those that must be given come first; what is left over goes to the others from left to right.
    var spare = count - arguments.count { $0.isRequired }
    var places: [Int] = []
    for (index, argument) in arguments.enumerated() {
      var share = argument.isRequired ? 1 : 0
      if spare > 0 {
        let more = argument.isRepeatable ? spare : 1 - share
        share += more
        spare -= more
      }
      if argument.isRequired, places.count == count { return (places, index) }
      places += Array(repeating: index, count: min(share, count - places.count))
    }
    return (places, nil)
  }
}
