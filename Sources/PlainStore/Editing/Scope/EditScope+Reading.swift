import DirectoryWatch
import HashTreeCollections
import LinuxFiles
import PlainText

/// Reading a draft: the items of the store with the changes of the scope, as a save without a
/// conflict would leave them.
///
/// A change that the save would refuse, such as an insertion of an existing item, is not shown. The
/// fields `@modified`, `@created` and `@size` are those of the file as it was read.
extension EditScope {
  /// Returns an item with the changes of the scope; nil if it does not exist or is to be deleted.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.update("ada", [.set("rating", 9)])
  /// print(scope.item("ada")?.value(at: "rating") ?? .null)  // 9, and the store still has the old one
  /// ```
  ///
  /// Costs a pass over the fields of a changed item. Where ids are fields, it costs a pass over all
  /// changed items.
  public func item(_ id: Item.ID) -> Item? {
    guard let base else { return nil }
    guard base.idFields.isEmpty else { return state?.items[id] }
    var item = base.state.items[id]
    for change in changes(of: id) { item = DraftChange(change, base).applied(to: item) }
    return item
  }

  /// Returns the list that a request shows of the items with the changes of the scope.
  /// O(n log n).
  ///
  /// ```swift
  /// let scope = store.makeEditScope()
  /// let list = scope.list(FetchRequest(sort: ["-rating"]))
  /// print(list.count)
  /// ```
  ///
  /// - Parameter request: The request to show; by default all items, in the order of their ids.
  public func list(_ request: FetchRequest = FetchRequest()) -> ResultsSnapshot {
    ResultsSnapshot(of: state ?? StoreState(items: [:], problems: [:], settings: Settings(), version: 0), request: request)
  }

  /// The state of the store with the changes of the scope; nil for a scope that is not based on a
  /// store.
  var state: StoreState? {
    guard let base else { return nil }
    var state = base.state
    for change in changes {
      let old = state.items[change.id]
      let new = DraftChange(change, base).applied(to: old)
      // Where ids are fields, an item may get another id. One that is in use is refused, and so is a
      // new item whose file holds another one.
      if let new, new.id != change.id, state.items[new.id] != nil { continue }
      if !base.idFields.isEmpty, let new, old == nil, state.items.contains(where: { $0.value.path == new.path }) { continue }
      state.items[change.id] = nil
      if let new { state.items[new.id] = new }
    }
    return state
  }
}

/// The effect of one change on its item.
private struct DraftChange {
  private let change: PendingChange
  private let base: ScopeBase

  init(_ change: PendingChange, _ base: ScopeBase) {
    (self.change, self.base) = (change, base)
  }

  /// Returns the item after the change; the item itself if the change would be refused.
  func applied(to item: Item?) -> Item? {
    switch change.act {
    case .delete: return nil
    case .insert(let content, let format, let path): return item ?? inserted(content, format, path)
    case .update:
      guard let item = item ?? missingItem else { return nil }
      return changed(item, item.fields.value.fields ?? [:])
    case .replace(let text):
      guard let item, let format = base.rules.format(of: item.path), let fields = fields(of: text, format) else { return item }
      return changed(item, fields)
    }
  }

  /// The item as the change knows it, if the store does not know it.
  private var missingItem: Item? {
    guard base.state.items[change.id] == nil, let revision = change.revision else { return nil }
    return Item(id: change.id, path: revision.path, stamp: revision.stamp, fields: revision.fields)
  }

  private func inserted(_ content: PendingChange.NewContent, _ format: TextFormat, _ wish: RelativePath?) -> Item? {
    let name = RelativePath(printed: change.id.description)
    guard let path = wish ?? name.map({ RelativePath(bytes: $0.bytes + ".\(format.pathExtensions[0])".utf8) }), path != .root,
      base.rules.format(of: path) == format, base.rules.reaches(path), base.state.problems[path] == nil
    else { return nil }
    let start: Fields? =
      switch content {
      case .fields(let fields): (try? NewItemText.text(of: fields, as: format, base.limits).fields.get())?.value.fields
      case .text(let text): fields(of: text, format)
      }
    guard let fields = try? start?.applying(change.edits), let item = makeItem(at: path, .none, fields) else { return nil }
    return item.id == change.id ? item : nil
  }

  private func changed(_ item: Item, _ fields: Fields) -> Item {
    guard let fields = try? fields.applying(change.edits) else { return item }
    return makeItem(at: item.path, item.stamp, fields) ?? item
  }

  private func makeItem(at path: RelativePath, _ stamp: FileStamp, _ fields: Fields) -> Item? {
    let packed = PackedValue(.map(fields))
    return (try? Item.ID(of: packed, at: path, by: base.idFields)).map { Item(id: $0, path: path, stamp: stamp, fields: packed) }
  }

  private func fields(of text: [UInt8], _ format: TextFormat) -> Fields? {
    (try? ItemText(text, as: format, limits: base.limits).fields.get())?.value.fields
  }
}
