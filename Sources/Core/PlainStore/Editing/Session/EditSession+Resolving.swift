import Files
import Query
import TextEdits

/// Resolving a change, with the checks that need the complete folder.
extension EditSession {
  mutating func resolve(_ target: EditTarget, _ current: FileContent?) throws(EditError) -> ResolvedEdit {
    if target.isNew {
      try checkFree(target)
    } else if target.change.isInsertion, current == nil {
      throw target.error(.notFound, "It was deleted in the meantime. Try again.")
    }
    let holdsItem = current.map { isItem(target.change.id, $0.text, target.path) } ?? true
    try target.change.checkFields { (try? current?.text.fields.get())?.value.fields }
    if !holdsItem, target.change.undo != nil {
      throw target.error(.conflict, "Its file holds another item now, so nothing was undone.")
    }
    var resolved = if let prepared = target.prepared { try prepared.result.get() } else { try resolution(of: target, current) }
    guard let text = resolved.newText else {
      if !holdsItem { resolved.text = current?.text }
      return resolved
    }
    if !holdsItem { throw target.error(.exists, "Its file holds another item now.") }
    try checkID(of: text, target)
    return resolved
  }

  /// Returns the effect of a change on this content of its file. It depends on nothing else.
  func resolution(of target: EditTarget, _ current: FileContent?) throws(EditError) -> ResolvedEdit {
    let holdsItem = current.map { isItem(target.change.id, $0.text, target.path) } ?? true
    var resolved = try resolver.resolve(target.change, at: target.path, as: target.format, holdsItem ? current : nil)
    if let newID = target.change.newID, !locator.idFields.isEmpty, holdsItem { try setID(newID, of: &resolved, target) }
    return resolved
  }

  /// Returns true unless ids are fields and those of the text make another id.
  private func isItem(_ id: Item.ID, _ text: ItemText, _ path: RelativePath) -> Bool {
    guard !locator.idFields.isEmpty, let fields = try? text.fields.get(),
      let found = try? Item.ID(of: fields, at: path, by: locator.idFields)
    else { return true }
    return found == id
  }

  private mutating func checkFree(_ target: EditTarget) throws(EditError) {
    let id = target.change.id
    let others = try locator.idFields.isEmpty ? locator.existingFiles(of: id) : locator.claimants(of: id)
    guard let other = others.first else { return }
    if target.change.undo != nil {
      var error = EditError(.conflict, id, other, "There is an item with this id again, so nothing was undone.")
      error.conflict = EditConflict(expected: nil, found: bytes(of: id, at: other))
      throw error
    }
    throw EditError(.exists, id, other, "There is already an item with this id. Set its fields, or choose another id.")
  }

  /// Returns the bytes of an item's file; nil if it cannot be read.
  private func bytes(of id: Item.ID, at path: RelativePath) -> [UInt8]? {
    locator.rules.format(of: path).flatMap { try? content(of: id, path, $0) }?.bytes
  }

  /// Checks that the new text makes an id that no other item has; for a new item, the requested id.
  private mutating func checkID(of text: ItemText, _ target: EditTarget) throws(EditError) {
    guard !locator.idFields.isEmpty, let fields = try? text.fields.get() else { return }
    let id: Item.ID
    do throws(Problem) {
      id = try Item.ID(of: fields, at: target.path, by: locator.idFields)
      let wanted = target.change.newID ?? target.change.id
      if target.isNew || target.change.newID != nil, id != wanted {
        let names = locator.idFields.map(\.description).joined(separator: ", ")
        throw Problem(path: target.path, message: "Its fields (\(names)) make the id \(id), not \(wanted). Change the fields or the id.")
      }
    } catch {
      throw target.error(.invalidID, error.message)
    }
    if id != target.change.id, let other = locator.claimants(of: id).first(where: { $0 != target.path }) {
      throw target.error(.exists, "Its fields would make the id \(id), which \(other) has already. Choose another id.")
    }
  }
}
