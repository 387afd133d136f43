/// The numbers of items and sections that are marked as changed.
@usableFromInline
struct Marks: Sendable {
  @usableFromInline var reloadedItems: Set<UInt32> = []
  @usableFromInline var reconfiguredItems: Set<UInt32> = []
  @usableFromInline var reloadedSections: Set<UInt32> = []

  @inlinable init() {}

  @usableFromInline
  mutating func forgetItem(_ item: UInt32) {
    // Removing from an empty shared set would copy it.
    if !reloadedItems.isEmpty { reloadedItems.remove(item) }
    if !reconfiguredItems.isEmpty { reconfiguredItems.remove(item) }
  }

  @usableFromInline
  mutating func forgetSection(_ section: UInt32) {
    if !reloadedSections.isEmpty { reloadedSections.remove(section) }
  }
}
