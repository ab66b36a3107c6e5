// Loops over arrays in generic code that the compiler does not specialize. There, the methods of `Sequence` and
// `Collection` search the conformances of the array's type at run time: a third of the time of parsing a command line.
extension Array {
  /// The same as `map`.
  package func transformed<Result>(_ transform: (Element) -> Result) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    for index in 0..<count { results.append(transform(self[index])) }
    return results
  }

  /// The same as `first(where:)`.
  func firstElement(where matches: (Element) -> Bool) -> Element? {
    for index in 0..<count where matches(self[index]) { return self[index] }
    return nil
  }
}
