import Store

/// A short name for a version of an item: its path and all of its values, including those that a
/// view does not show. Comments in the file do not count.
///
/// The names of one version differ between two runs of the server, so that nobody can make two
/// versions of the same name.
struct RowRevision: Sendable, Hashable, CustomStringConvertible {
  let description: String

  /// Makes the name of a version. Linear in the size of the item.
  init(of item: Item) {
    var hasher = Hasher()
    hasher.combine(item.path)
    item.fields.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    description = String(UInt64(bitPattern: Int64(hasher.finalize())), radix: 36)
  }
}
