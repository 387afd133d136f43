import HTTPTypes
import Store
import TextEdits
import Values

/// The answer to a change that is based on an old version: the fields that differ.
struct ItemConflict {
  /// The number of fields that are reported.
  private static let maxFields = 100

  /// The item as it is now.
  let current: CurrentItem
  /// The text of the version that the client changed; nil if it is no longer known.
  let base: [UInt8]?
  /// The change of the client.
  let change: ItemChange

  /// The problem document.
  var problem: ProblemDocument {
    let (fields, more) = fields
    let names = fields.prefix(3).compactMap { $0["field"]?.text }.joined(separator: ", ")
    let advice =
      if case .delete = change { "" } else {
        ", or send Prefer: merge to keep both changes if they are of different fields"
      }
    let detail =
      "The item `\(current.item.id)` was changed since the version of this "
      + "request\(names.isEmpty ? "" : " (\(names))")."
      + " Nothing was written. Read it again\(advice)."
    var members: Fields = ["conflict": .list(fields), "etag": .string("\(current.tag)")]
    if more > 0 { members["more"] = .number(.integer(more)) }
    return ProblemDocument(
      .preconditionFailed, detail, code: "stale", members: members, fields: [.eTag: "\(current.tag)"])
  }

  /// The fields that differ, with the values of the three sides, and the number of those that are
  /// not listed.
  private var fields: (rows: [Value], more: Int) {
    let text = current.text
    let old = base.flatMap {
      (try? ItemText($0, as: text.format, limits: text.limits).fields.get())?.value.fields
    }
    let mine = try? change.fields(basedOn: old ?? current.fields, format: text.format, limits: text.limits)
    guard let other = mine ?? old else { return ([], 0) }
    let pointers = FieldChanges(from: other, to: current.fields).pointers
    let rows = pointers.prefix(ItemConflict.maxFields).compactMap(JSONPointer.init).map { pointer in
      var row: Fields = ["field": .string(pointer.description)]
      row["base"] = old.flatMap { pointer.value(in: .map($0)) }
      row["mine"] = mine.flatMap { pointer.value(in: .map($0)) }
      row["theirs"] = pointer.value(in: .map(current.fields))
      return Value.map(row)
    }
    return (rows, pointers.count - rows.count)
  }
}
