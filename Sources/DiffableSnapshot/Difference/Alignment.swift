/// Two trees, split into pieces from left to right: shared nodes, and the smallest nodes (sections
/// or leaves) that may differ.
///
/// Costs O(log n) per differing place, or O(n / 48) if the trees share nothing.
///
/// Shared trunks, branches and leaves are in the same order on both sides. Shared sections may not
/// be, because sections move as a unit.
struct Alignment {
  struct Piece {
    let node: Node
    var isShared = false
  }

  /// The counts of the shared prefix. The shared prefix and suffix are not among the pieces.
  private(set) var before = NodeCounts()
  private(set) var old: [Piece]
  private(set) var new: [Piece]

  /// Aligns two trees, one of which may be missing.
  init(_ old: Node?, _ new: Node?) {
    self.old = old.map { [Piece(node: $0)] } ?? []
    self.new = new.map { [Piece(node: $0)] } ?? []
    while true {
      let oldHeight = Self.height(self.old)
      let newHeight = Self.height(self.new)
      if oldHeight == newHeight {
        trim()
        markShared()
      }
      let height = max(oldHeight, newHeight)
      if height <= 0 { return }
      if oldHeight == height { self.old = Self.opened(self.old) }
      if newHeight == height { self.new = Self.opened(self.new) }
    }
  }

  /// Returns the height of the pieces that are not shared, which is the same for all, or -1 if
  /// there are none.
  private static func height(_ pieces: [Piece]) -> Int {
    pieces.first { !$0.isShared }.map { Int($0.node.height) } ?? -1
  }

  /// Replaces each piece that is not shared by its children.
  private static func opened(_ pieces: [Piece]) -> [Piece] {
    var opened: [Piece] = []
    opened.reserveCapacity(pieces.count * Node.fanFill)
    for piece in pieces {
      if piece.isShared { opened.append(piece) } else { for child in piece.node.children { opened.append(Piece(node: child)) } }
    }
    return opened
  }

  /// Removes the shared prefix and suffix.
  private mutating func trim() {
    var start = 0
    while start < min(old.count, new.count), old[start].node.isShared(with: new[start].node) {
      before += old[start].node.counts
      start += 1
    }
    var end = 0
    while end < min(old.count, new.count) - start, old[old.count - 1 - end].node.isShared(with: new[new.count - 1 - end].node) { end += 1 }
    if start + end == 0 { return }
    old = Array(old[start..<old.count - end])
    new = Array(new[start..<new.count - end])
  }

  /// Marks the nodes that are on both sides.
  private mutating func markShared() {
    var place = 0
    // If no node was split or joined, the nodes of both sides correspond by position.
    while place < min(old.count, new.count) {
      let twin = new[place].node
      if old[place].node.isShared(with: twin) {
        old[place].isShared = true
        new[place].isShared = true
      } else if old[place].node.number != twin.number {
        break
      }
      place += 1
    }
    var places: [UInt: Int] = [:]
    for place in place..<max(old.count, place) where old[place].node.load > 0 { places[old[place].node.storage] = place }
    if places.isEmpty { return }
    for place in place..<max(new.count, place) {
      guard let twin = places[new[place].node.storage], old[twin].node.isShared(with: new[place].node) else { continue }
      old[twin].isShared = true
      new[place].isShared = true
    }
  }
}
