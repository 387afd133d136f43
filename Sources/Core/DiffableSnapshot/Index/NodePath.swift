/// The numbers of the nodes from one node up to the root.
struct NodePath {
  /// One number per level. 32 levels are more than a tree of 2^31 items in as many sections has.
  private var numbers: InlineArray<32, UInt32> = .init(repeating: 0)
  private(set) var count = 0

  /// Follows the links from a node to the root.
  init(from number: UInt32, _ links: Links) {
    var next = number
    while next != NumberPool.none {
      numbers[count] = next
      count += 1
      next = links.parents[next]
    }
  }

  /// The number of the node at a level above the first one.
  subscript(level: Int) -> UInt32 { numbers[level] }
}

/// Descending without copies. A copy of a node retains its arrays, which costs more than reading
/// it.
extension UnsafePointer<Node> {
  /// Returns the address of a child.
  func child(_ slot: Int) -> UnsafePointer<Node> { pointee.children.address(of: slot) }

  /// Returns the slot of the child with a number. The child must exist.
  func slot(ofChild number: UInt32) -> Int {
    for slot in 0..<pointee.children.count where child(slot).pointee.number == number { return slot }
    preconditionFailure("A node's link leads to a parent that does not contain it.")
  }

  /// Returns the slot of the child to insert into at an index, which becomes the index in that
  /// child.
  ///
  /// At a boundary, the end of one child is preferred to the start of the next, so that lists that
  /// grow at the end stay full.
  func insertionSlot(_ index: inout Int, counting count: (NodeCounts) -> UInt32) -> Int {
    var slot = 0
    while slot < pointee.children.count - 1, case let passed = Int(count(child(slot).pointee.counts)),
      index > passed
    {
      index -= passed
      slot += 1
    }
    return slot
  }

  /// Calls `body` with each section below the node, in order.
  func forEachSection(_ body: (UnsafePointer<Node>) -> Void) {
    if pointee.kind == .section { return body(self) }
    for slot in 0..<pointee.children.count { child(slot).forEachSection(body) }
  }
}
