package import DirectoryWatch
package import PlainText

/// The text of an item's file, whether it can be read as an item or not.
package struct RawItem: Sendable {
  package let id: Item.ID
  package let path: RelativePath
  package let format: TextFormat
  package let bytes: [UInt8]
  /// For a change that is made to it.
  package let revision: ItemRevision
}

extension ItemEditor {
  /// The text of an item's file as it is now, also of one that is broken.
  package func readText(_ id: Item.ID) throws -> RawItem {
    var session = try session(.error)
    return try session.readText(id)
  }

  /// What is wrong with a text as an item of this format; nil where nothing is.
  package func problem(with text: [UInt8], as format: TextFormat) -> TextError? {
    do throws(TextError) {
      _ = try FileContent.fields(of: text, as: format, limits).get()
      return nil
    } catch {
      return error
    }
  }

  /// How new items of the folder begin.
  package func newItems(_ context: DefaultContext) throws(StoreError) -> NewItems {
    let locator = try session(.error).locator
    let (root, rules) = (root, locator.rules)
    let filter = WatchFilter(includesDirectory: { _ in false }, includesFile: { rules.format(of: $0) != nil })
    return NewItems(settings: locator.settings, idFields: locator.idFields, context: context) { folder in
      let entries = (try? DirectoryScan.scan(root: root, below: folder, filter: filter))?.entries ?? []
      return entries.map { PseudoField.split($0.path.name).ext }
    }
  }

  /// A new item's text, as it would be written.
  package func text(of plan: NewItems.Plan) throws(EditError) -> [UInt8] {
    do throws(TextEditError) {
      return try NewItemText.bytes(of: plan.fields, as: plan.format, limits)
    } catch {
      throw EditError(plan.id, plan.path, error)
    }
  }
}
