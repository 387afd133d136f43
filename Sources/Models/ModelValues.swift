import HashTreeCollections
import Query
import Store
import Values

/// The values of one field of some models, by which an upsert finds their items.
struct ModelValues<Object: PlainModel> {
  private let field: FieldPath
  /// The value of each model, by its own id. Numbers and dates are compared by value.
  private var values: [Item.ID: Value] = [:]

  /// - Throws: `EditError` with the code `invalid` if a model has no value, or two have the same id or value.
  init(of objects: [Object], at field: FieldPath) throws(EditError) {
    self.field = field
    var seen: [Value: Item.ID] = [:]
    for object in objects {
      let id = object.itemID
      guard
        let value = ModelValues.value(
          of: ModelEdits.asRead(try ModelEdits.fields(of: object, nil)), at: field)
      else {
        throw EditError(
          .invalid, id, nil, "This `\(Object.self)` has no value of `\(field)`, by which its item is found.")
      }
      if let other = seen.updateValue(id, forKey: value) {
        throw EditError(
          .invalid, id, nil, "The object `\(other)` has the same value of `\(field)`.",
          advice: "Leave one of them out.")
      }
      if values.updateValue(value, forKey: id) != nil {
        throw EditError(
          .invalid, id, nil, "Two of these objects have this id.", advice: "Leave one of them out.")
      }
    }
  }

  /// Returns the value of a field in fields as they are read; nil if it is missing or null.
  private static func value(of fields: Fields, at field: FieldPath) -> Value? {
    guard let value = Value.map(fields.filled(with: Object.defaults)).value(at: field), value != .null else {
      return nil
    }
    return UniqueValue.key(of: value)
  }

  /// Ids that no item has, for the turns of upserts by these values.
  var turns: [Item.ID] { values.values.map { Item.ID("\u{0}\(field)\u{0}\($0.text)") } }

  /// Returns the ids of the items of this type that have the values, by the own ids of the models. O(n).
  ///
  /// - Throws: `EditError` with the code `ambiguous` if several items have one value.
  func holders(among items: ItemTable) throws(EditError) -> [Item.ID: Item.ID] {
    let ids = Dictionary(uniqueKeysWithValues: values.map { ($0.value, $0.key) })
    var holders: [Item.ID: Item.ID] = [:]
    let migration = ModelMigration(of: Object.self)
    for item in items.lazy.map(\.value) {
      guard
        let value = ModelValues.value(of: migration.current(item).fields.value.fields ?? [:], at: field),
        let id = ids[value],
        (try? item.decode(Object.self)) != nil
      else { continue }
      if let other = holders.updateValue(item.id, forKey: id) {
        throw EditError(
          .ambiguous, id, nil,
          "The items `\(other)` and `\(item.id)` both have the value `\(value.text)` of `\(field)`.",
          advice: "Delete one of them, or change its value.")
      }
    }
    return holders
  }
}
