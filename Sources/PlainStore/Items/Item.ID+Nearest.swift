import TerminalText

extension Item.ID {
  /// Returns the id that was probably meant by one that no item has; nil if none is similar. Costs
  /// the length of all ids.
  package func nearest(among ids: some Sequence<Item.ID>) -> Item.ID? {
    let word = description
    guard word.utf8.count <= 200 else { return nil }
    let names = ids.map(\.description)
    // Two edits make almost any short word out of another.
    return names.nearest(to: word, within: word.utf8.count < 5 ? 1 : 2).map { Item.ID(printed: $0) }
  }
}
