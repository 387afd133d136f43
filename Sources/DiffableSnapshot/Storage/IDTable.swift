/// Maps numbers to identifiers and back, shared between copies. The caller assigns the numbers.
///
/// Everything below the public types uses numbers, so only this type hashes or compares
/// identifiers. The identifier of a released number stays until the number is used again.
@usableFromInline
struct IDTable<ID: Hashable & Sendable>: Sendable {
  @usableFromInline var ids = PagedVector<ID>()
  @usableFromInline var trie = HashTrie()

  @inlinable init() {}

  /// Returns the identifier of a number in use.
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

  /// Adds an identifier with the next higher number. Returns false if it is already in the table.
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

  /// Returns the identifier of a number in use, using the page that the reader has cached.
  @inlinable
  func id(_ number: UInt32, _ reader: inout PagedVector<ID>.Reader) -> ID { reader.element(at: Int(number), of: ids) }
}
