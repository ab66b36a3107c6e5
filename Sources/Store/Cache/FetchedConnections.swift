package import World

// The responses that the cached list of a profile cannot hold, since the list has tracked connections only, and only
// those that one identity has fetched. They are beside the options of the connection's fields, as if of a step of its
// own: no step has an empty identifier.
extension Store {
  /// Writes those of the connections that the list does not hold. Each keeps only the response to the latest identity.
  package func cacheBesideList(
    _ connections: [CachedConnection], as identity: RequestIdentity, profile: String
  ) throws(StoreError) {
    let settled = try isSettled(on: identity, profile: profile)
    var others: [CachedOptions] = []
    for connection in connections {
      if settled, try cached(connection.id, profile: profile) != nil { continue }
      others.append(
        CachedOptions(
          connection: connection.id, step: wholeConnection, answer: connection.raw, fetchedAt: connection.fetchedAt))
    }
    try cache(others, as: identity, profile: profile)
  }

  /// Returns IFTTT's response to this identity, if it was written and fetched since `moment`.
  package func responseBesideList(
    of id: String, as identity: RequestIdentity, fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> [UInt8]? {
    try cachedOptions(of: id, as: identity, fetchedSince: moment, profile: profile)[wholeConnection]?.answer
  }

  /// Deletes the responses after a change of the connections.
  func forgetBesideList(_ ids: [String], profile: String) throws(StoreError) {
    let isThere = try readCache { cache throws(StoreError) in
      let find = try cache.prepare(
        "SELECT 1 FROM field_options WHERE profile = ? AND connection = ? AND step = ?")
      defer { find.reset() }
      for id in ids {
        try find.bind([.text(profile), .text(id), .text(wholeConnection)])
        if try find.step() { return true }
      }
      return false
    }
    guard isThere == true else { return }
    try writeCache { cache throws(StoreError) in
      for id in ids {
        try cache.run(
          "DELETE FROM field_options WHERE profile = ? AND connection = ? AND step = ?", .text(profile), .text(id),
          .text(wholeConnection))
      }
    }
  }
}

/// The step that stands for the connection itself.
private let wholeConnection = ""
