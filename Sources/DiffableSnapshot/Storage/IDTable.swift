/// Identifiers by number and numbers by identifier, shared between copies. The numbers are handed out elsewhere.
///
/// Everything below the public types works on the numbers alone, so this is the only place that hashes or compares an
/// identifier. The identifier of a number that was given back stays until the number is used again.
@usableFromInline
struct IDTable<ID: Hashable & Sendable>: Sendable {
  @usableFromInline var ids = PagedVector<ID>()
  @usableFromInline var trie = HashTrie()

  @inlinable init() {}

  /// The identifier of a number in use.
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

  /// Adds an identifier under the next number after all others; false if it is there already.
  @inlinable
  mutating func addNew(_ id: ID) -> Bool {
    let hash = id.hashValue
    if trie.first(hash: hash, where: { ids[Int($0)] == id }) != nil { return false }
    trie.insert(UInt32(ids.count), hash: hash)
    ids.append(id)
    return true
  }

  @inlinable
  mutating func remove(_ number: UInt32) {
    trie.remove(number, hash: ids[Int(number)].hashValue)
  }

  /// The identifier of a number in use, read with the page that was read last at hand.
  @inlinable
  func id(_ number: UInt32, _ reader: inout PagedVector<ID>.Reader) -> ID { reader.element(at: Int(number), of: ids) }
}
