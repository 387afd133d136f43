package import Store

/// A row on which the cursor can be. An action that needs an item finds none in that of a problem.
package enum ScreenRow: Hashable, Sendable, CustomStringConvertible {
  /// The problem of the file at a path.
  case problem(RelativePath)
  case item(Item.ID)

  package var item: Item.ID? {
    if case .item(let id) = self { id } else { nil }
  }

  /// The row without its section: an item may have several rows.
  package var subject: ScreenRow { item.map { .item($0.item) } ?? self }

  package var description: String {
    switch self {
    case .problem(let path): path.description
    case .item(let id): id.description
    }
  }
}
