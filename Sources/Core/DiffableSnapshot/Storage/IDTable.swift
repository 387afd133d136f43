/// Maps numbers to identifiers and back, shared between copies. The caller assigns the numbers.
///
/// Everything below the public types uses numbers, so only this type hashes or compares
/// identifiers. The identifier of a released number stays until the number is used again.
@usableFromInline
struct IDTable<ID: Hashable & Sendable>: Sendable {
  @usableFromInline var ids = PagedVector<ID>()
  @usableFromInline var trie = HashTrie()

  @inlinable init() {}

  /// Numbers the identifiers 0, 1, 2, … in order. O(n). `repeated` is set to the first identifier that is
  /// not the first of its kind.
  @inlinable
  init(_ lists: some Collection<[ID]>, repeated: inout ID?) {
    var tags: [UInt32] = []
    tags.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for list in lists {
      ids.append(contentsOf: list)
      for id in list { tags.append(HashTrie.tag(id.hashValue)) }
    }
    let ids = self.ids
    var firstRepeated: UInt32?
    trie = HashTrie(of: tags, firstRepeated: &firstRepeated) { ids[Int($0)] == ids[Int($1)] }
    repeated = firstRepeated.map { ids[Int($0)] }
  }

  @inlinable
  subscript(number: UInt32) -> ID { ids[Int(number)] }

  @inlinable
  func number(of id: ID) -> UInt32? {
    trie.first(hash: id.hashValue) { ids[Int($0)] == id }
  }

  @inlinable
  mutating func add(_ id: ID, as number: UInt32) {
    if Int(number) == ids.count {
      ids.append(id)
    } else {
      ids[Int(number)] = id
    }
    trie.insert(number, hash: id.hashValue)
  }

  @inlinable
  mutating func remove(_ number: UInt32) {
    trie.remove(number, hash: ids[Int(number)].hashValue)
  }

  /// Returns a reader of identifiers by number, for numbers that are mostly neighbours.
  @inlinable
  func reader() -> PagedVector<ID>.Reader { PagedVector.Reader(ids) }
}

extension PagedVector.Reader {
  @inlinable
  mutating func id(_ number: UInt32) -> Element { element(at: Int(number)) }
}
