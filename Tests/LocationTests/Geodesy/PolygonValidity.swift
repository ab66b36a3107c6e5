@testable import Location

/// A slow and simple check of the OGC simple features rules for polygons.
extension [[CircleOutline.Ring]] {
  /// The first problem, or nil if the polygons are valid.
  var problem: String? {
    for polygon in self {
      for (index, ring) in polygon.enumerated() {
        guard ring.first == ring.last, ring.count >= 4 else { return "a ring is not closed" }
        guard ring.allSatisfy({ abs($0.longitude) <= 180 && abs($0.latitude) <= 90 }) else { return "off the map" }
        guard (ring.area > 0) == (index == 0) else { return "a ring runs the wrong way" }
      }
    }
    // Each edge is compared with all others, of the same ring and of other rings.
    let edges = flatMap { $0 }.flatMap { ring in zip(ring, ring.dropFirst()).map { Edge(from: $0, to: $1) } }
    for (index, edge) in edges.enumerated() {
      for other in edges[..<index] where edge.meets(other) { return "\(edge) meets \(other)" }
    }
    return nil
  }

  /// Whether the polygons contain a coordinate, by the number of edges that a line to its east crosses.
  func contain(_ coordinate: Coordinate) -> Bool {
    let edges = flatMap { $0 }.flatMap { zip($0, $0.dropFirst()) }
    return edges.reduce(false) { isInside, edge in
      let (a, b) = edge
      guard (a.latitude > coordinate.latitude) != (b.latitude > coordinate.latitude) else { return isInside }
      let part = (coordinate.latitude - a.latitude) / (b.latitude - a.latitude)
      return coordinate.longitude < a.longitude + part * (b.longitude - a.longitude) ? !isInside : isInside
    }
  }
}

extension CircleOutline.Ring {
  /// Twice the enclosed area, positive if the ring runs counterclockwise.
  fileprivate var area: Double {
    zip(self, dropFirst()).reduce(0) { $0 + $1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude }
  }
}

private struct Edge {
  let from: CircleOutline.Vertex
  let to: CircleOutline.Vertex

  /// Whether two edges share more than an endpoint from which they diverge.
  func meets(_ other: Edge) -> Bool {
    let (a, b) = (side(of: other.from), side(of: other.to))
    let (c, d) = (other.side(of: from), other.side(of: to))
    if a == 0, b == 0 { return overlaps(other) }
    let ends = [other.from, other.to]
    if ends.contains(from) || ends.contains(to) { return false }
    return a * b <= 0 && c * d <= 0
  }

  /// Whether two collinear edges overlap.
  private func overlaps(_ other: Edge) -> Bool {
    let isSteep = abs(to.latitude - from.latitude) > abs(to.longitude - from.longitude)
    func along(_ vertex: CircleOutline.Vertex) -> Double { isSteep ? vertex.latitude : vertex.longitude }
    let mine = (min(along(from), along(to)), max(along(from), along(to)))
    let others = (min(along(other.from), along(other.to)), max(along(other.from), along(other.to)))
    return mine.0 < others.1 && others.0 < mine.1
  }

  private func side(of vertex: CircleOutline.Vertex) -> Double {
    let turn =
      (to.longitude - from.longitude) * (vertex.latitude - from.latitude)
      - (to.latitude - from.latitude) * (vertex.longitude - from.longitude)
    return turn == 0 ? 0 : turn < 0 ? -1 : 1
  }
}
