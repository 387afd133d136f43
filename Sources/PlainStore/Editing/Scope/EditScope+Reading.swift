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
    if base.idFields.isEmpty { return pendingItem(id, base) }
    return state?.items[id]
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
    let changed = changedIDs.map { ($0, pendingItem($0, base)) }
    for (id, _) in changed { state.items[id] = nil }
    // Where ids are fields, an item may have another id now. One that is in use is refused.
    for (id, item) in changed {
      guard let item else { continue }
      if item.id == id || state.items[item.id] == nil { state.items[item.id] = item } else { state.items[id] = base.state.items[id] }
    }
    return state
  }

  private func pendingItem(_ id: Item.ID, _ base: ScopeBase) -> Item? {
    let known = base.state.items[id]
    let (last, earlier) = pendingChanges(of: id)
    guard let change = last else { return known }
    switch change.act {
    case .delete: return nil
    case .insert(let content, let format, let path):
      if known != nil, earlier == nil { return known }
      return inserted(change, content, format, path, base)
    case .update:
      guard let known = known ?? change.revision.map({ Item(id: id, path: $0.path, stamp: $0.stamp, fields: $0.fields) }) else {
        return nil
      }
      return changed(known, known.fields.value.fields ?? [:], change.edits, base)
    case .replace(let text):
      guard let known else { return nil }
      guard let format = base.rules.format(of: known.path), let fields = fields(of: text, format, base) else { return known }
      return changed(known, fields, change.edits, base)
    }
  }

  private func inserted(
    _ change: PendingChange, _ content: PendingChange.NewContent, _ format: TextFormat, _ wish: RelativePath?, _ base: ScopeBase
  ) -> Item? {
    let name = RelativePath(printed: change.id.description)
    guard let path = wish ?? name.map({ RelativePath(bytes: $0.bytes + ".\(format.pathExtensions[0])".utf8) }), path != .root,
      base.rules.format(of: path) == format, base.rules.reaches(path), base.state.problems[path] == nil
    else { return nil }
    let start: Fields? =
      switch content {
      case .fields(let fields): (try? NewItemText.text(of: fields, as: format, base.limits).fields.get())?.value.fields
      case .text(let text): fields(of: text, format, base)
      }
    guard let fields = try? start?.applying(change.edits) else { return nil }
    let item = makeItem(at: path, .none, fields, base)
    return item?.id == change.id ? item : nil
  }

  private func changed(_ item: Item, _ fields: Fields, _ edits: [TextEdit], _ base: ScopeBase) -> Item {
    guard let fields = try? fields.applying(edits) else { return item }
    return makeItem(at: item.path, item.stamp, fields, base) ?? item
  }

  private func makeItem(at path: RelativePath, _ stamp: FileStamp, _ fields: Fields, _ base: ScopeBase) -> Item? {
    let packed = PackedValue(.map(fields))
    return (try? Item.ID(of: packed, at: path, by: base.idFields)).map { Item(id: $0, path: path, stamp: stamp, fields: packed) }
  }

  private func fields(of text: [UInt8], _ format: TextFormat, _ base: ScopeBase) -> Fields? {
    (try? ItemText(text, as: format, limits: base.limits).fields.get())?.value.fields
  }
}
