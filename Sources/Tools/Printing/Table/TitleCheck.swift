package import Store

/// Finds out if a list must show ids beside its titles: if a title does not say the id of its item, or
/// says the same as another one.
///
/// A title says an id if both have the same letters and digits, apart from case and accents; the last part
/// of the id is enough: `Packing list` says `travel/packing-list`.
package struct TitleCheck {
  private let title: FieldPath
  /// The hashes of the names, with those of the ids: an item can have several rows.
  private var names: [Int: Int] = [:]
  package private(set) var needsID = false

  init(_ title: FieldPath) {
    self.title = title
  }

  /// Creates a check for columns that were chosen without the id; nil if they have it.
  package init?(_ columns: [TableColumn], of request: FetchRequest) {
    guard request.fields.isEmpty, let title = columns.first?.path,
      !columns.contains(where: { $0.path == TableColumn.idPath })
    else { return nil }
    self.init(title)
  }

  package mutating func add(_ item: Item) {
    if needsID { return }
    let id = item.id.description
    let name = TitleCheck.letters(item.value(at: title, limit: id.utf8.count * 4 + 64)?.cellText ?? "")
    let last = id.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(id[id.utf8.index(after: $0)...]) }
    guard !name.isEmpty, name == TitleCheck.letters(last ?? id) || name == TitleCheck.letters(id),
      names.updateValue(id.hashValue, forKey: name.hashValue).map({ $0 == id.hashValue }) != false
    else {
      needsID = true
      return
    }
  }

  private static func letters(_ text: String) -> [UInt8] {
    let folded = String(decoding: Folding.all.folded(text), as: UTF8.self)
    return Array(
      String(
        String.UnicodeScalarView(
          folded.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
      ).utf8)
  }
}
