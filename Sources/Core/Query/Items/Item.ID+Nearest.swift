import Files
import Values

extension Item.ID {
  /// Returns the id that was probably meant by one that no item has: the one with this last part, or
  /// a similar one; nil if several have this last part. An ending such as `.yml` does not count.
  /// Costs the length of all ids.
  package func nearest(among ids: some Sequence<Item.ID>) -> Item.ID? {
    guard description.utf8.count <= 200 else { return nil }
    // An item that was briefly missing may be back.
    let names = ids.filter { $0 != self }.map(\.description)
    let ending = PseudoField.split(description[...])
    let word = TextFormat(pathExtension: ending.ext) == nil ? description : ending.name
    if names.contains(word) { return Item.ID(printed: word) }
    let ends = names.lazy.filter { $0.hasSuffix("/\(word)") }.prefix(2)
    if let first = ends.first { return ends.count == 1 ? Item.ID(printed: first) : nil }
    return names.nearest(to: word).map { Item.ID(printed: $0) }
  }
}
