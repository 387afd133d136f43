/// Two trees, split into pieces from left to right: shared nodes, and the smallest nodes (sections
/// or leaves) that may differ.
///
/// Costs O(log n) per differing place, or O(n / 48) if the trees share nothing.
///
/// Shared trunks, branches and leaves are in the same order on both sides. Shared sections may not
/// be, because sections move as a unit.
struct Alignment {
  struct Piece {
    /// The address of the node. A copy would retain its arrays.
    let node: UnsafePointer<Node>
    var isShared = false
  }

  /// The trees, which own the nodes.
  private let trees: (old: [Node], new: [Node])

  /// The counts of the shared prefix. The shared prefix and suffix are not among the pieces.
  private(set) var before = NodeCounts()
  private(set) var old: [Piece]
  private(set) var new: [Piece]

  init(_ old: Node?, _ new: Node?) {
    trees = (old.map { [$0] } ?? [], new.map { [$0] } ?? [])
    self.old = trees.old.isEmpty ? [] : [Piece(node: trees.old.address(of: 0))]
    self.new = trees.new.isEmpty ? [] : [Piece(node: trees.new.address(of: 0))]
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

  /// The height of the pieces that are not shared, the same for all; -1 if there are none.
  private static func height(_ pieces: [Piece]) -> Int {
    pieces.first { !$0.isShared }.map { Int($0.node.pointee.height) } ?? -1
  }

  private static func opened(_ pieces: [Piece]) -> [Piece] {
    var opened: [Piece] = []
    opened.reserveCapacity(pieces.count * Node.fanFill)
    for piece in pieces {
      if piece.isShared {
        opened.append(piece)
      } else {
        for slot in 0..<piece.node.pointee.children.count {
          opened.append(Piece(node: piece.node.child(slot)))
        }
      }
    }
    return opened
  }

  private mutating func trim() {
    var start = 0
    while start < min(old.count, new.count), old[start].node.pointee.isShared(with: new[start].node.pointee) {
      before += old[start].node.pointee.counts
      start += 1
    }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end].node.pointee.isShared(with: new[new.count - 1 - end].node.pointee)
    {
      end += 1
    }
    if start + end == 0 { return }
    old = Array(old[start..<old.count - end])
    new = Array(new[start..<new.count - end])
  }

  private mutating func markShared() {
    var place = 0
    // If no node was split or joined, the nodes of both sides correspond by position.
    while place < min(old.count, new.count) {
      let twin = new[place].node
      if old[place].node.pointee.isShared(with: twin.pointee) {
        old[place].isShared = true
        new[place].isShared = true
      } else if old[place].node.pointee.number != twin.pointee.number {
        break
      }
      place += 1
    }
    var places: [UInt: Int] = [:]
    for place in place..<max(old.count, place) where old[place].node.pointee.load > 0 {
      places[old[place].node.pointee.storage] = place
    }
    if places.isEmpty { return }
    for place in place..<max(new.count, place) {
      guard let twin = places[new[place].node.pointee.storage],
        old[twin].node.pointee.isShared(with: new[place].node.pointee)
      else { continue }
      old[twin].isShared = true
      new[place].isShared = true
    }
  }
}
