/// Two trees cut into pieces, left to right: what both share, and the smallest nodes (sections, or leaves) where they
/// may differ. Where the trees share nothing this costs O(n / 48), else O(log n) for every place that differs.
struct Alignment {
  struct Piece {
    let node: Node
    var isShared: Bool
  }

  private(set) var old: [Piece]
  private(set) var new: [Piece]

  init(_ old: Node?, _ new: Node?) {
    self.old = old.map { [Piece(node: $0, isShared: false)] } ?? []
    self.new = new.map { [Piece(node: $0, isShared: false)] } ?? []
    while true {
      let oldHeight = Self.height(self.old)
      let newHeight = Self.height(self.new)
      if oldHeight == newHeight { markShared() }
      let height = max(oldHeight, newHeight)
      if height <= 0 { return }
      if oldHeight == height { self.old = Self.opened(self.old) }
      if newHeight == height { self.new = Self.opened(self.new) }
    }
  }

  /// The height of the pieces that are still open, which is one for all, or -1.
  private static func height(_ pieces: [Piece]) -> Int {
    pieces.first { !$0.isShared }.map { Int($0.node.height) } ?? -1
  }

  private mutating func markShared() {
    var places: [UInt: Int] = [:]
    for (place, piece) in old.enumerated() where !piece.isShared && piece.node.load > 0 { places[piece.node.storage] = place }
    if places.isEmpty { return }
    for (place, piece) in new.enumerated() where !piece.isShared {
      guard let twin = places[piece.node.storage], old[twin].node.isShared(with: piece.node) else { continue }
      old[twin].isShared = true
      new[place].isShared = true
    }
  }

  private static func opened(_ pieces: [Piece]) -> [Piece] {
    pieces.flatMap { $0.isShared ? [$0] : $0.node.children.map { Piece(node: $0, isShared: false) } }
  }
}
