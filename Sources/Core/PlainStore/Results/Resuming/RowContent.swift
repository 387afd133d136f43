import Query
import Values

/// The content of one row of a list.
struct RowContent {
  let item: Item
  /// The fields that the list shows of the item; empty for all.
  let fields: [FieldPath]

  /// The map of the shown fields. Nothing is unpacked if the list shows all fields.
  var value: PackedValue { fields.isEmpty ? item.fields : PackedValue(.map(item.projected(fields))) }

  /// The item with the shown fields instead of its own.
  var projected: Item {
    fields.isEmpty ? item : Item(id: item.id, path: item.path, stamp: item.stamp, fields: value)
  }

  /// Returns true if both contents are known to be the same, without a comparison of values.
  func isIdentical(to other: RowContent) -> Bool { item === other.item && fields == other.fields }

  /// Returns the changes from this content to `new`. A moved file counts as a change of `@path`.
  func changes(to new: RowContent) -> FieldChanges {
    if fields == new.fields { return item.changes(to: new.item, showing: fields) }
    var before = item.projected(fields)
    var after = new.item.projected(new.fields)
    if item.path != new.item.path {
      before[PseudoField.path.rawValue] = PseudoField.path.value(of: item)
      after[PseudoField.path.rawValue] = PseudoField.path.value(of: new.item)
    }
    return FieldChanges(from: before, to: after)
  }
}
