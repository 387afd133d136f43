public import Query
import Store
public import Values

/// Your own type for the items of a store, which can be listed, changed and saved.
///
/// ```swift
/// struct Contact: PlainModel {
///   var id: String  // friends/ada.yaml is "friends/ada"
///   var name: String
///   var rating: Int
///   var note: String?
///   static let defaults: Fields = ["rating": 0]  // for files without the field
/// }
/// ```
///
/// A model has its fields as `Codable` gives them:
///
/// - **`id` is the id of the item** and never a field of the file. If a file has a field named
///   `id`, the model leaves it as it is. To use it, add a coding key for the item's id:
///   `case itemID = "@id", id`. Then `id` is a field like any other.
/// - The other pseudo-fields (`@path`, `@modified`, …) can be decoded by such coding keys. They are
///   never written.
/// - An optional property that is nil has no field. Null is written only if the type has a default
///   for the field, or encodes null itself.
/// - Saving a model changes only the fields that differ from those that were read. Unknown fields,
///   comments and untouched values keep their bytes.
public protocol PlainModel: Codable, Equatable, Identifiable, Sendable {
  /// The id of the model's item. It is made of `id` if that is an ``ItemIDConvertible``: a `String`, a
  /// `UUID`, an integer; for other types, write this property.
  ///
  /// An item whose model has another id than the item cannot be decoded, so that no save goes to
  /// another file.
  var itemID: Item.ID { get }

  /// The values of fields that a file does not have; by default none. The keys of a map are served
  /// one by one.
  ///
  /// `Codable` cannot use the initial value of a property, so it is written here.
  static var defaults: Fields { get }

  /// The fields that have another name or type in older files; by default none.
  ///
  /// ```swift
  /// static let changes: [ModelChange] = [.renamed("mail", to: "email")]
  /// ```
  ///
  /// Older files are read as they are. A save that changes an object gives its file the new form; saving an
  /// unchanged object writes nothing. `store.migrate(Contact.self)` rewrites all older files.
  static var changes: [ModelChange] { get }

  /// The fields whose values must differ from those of all other items; by default none.
  ///
  /// A save through the store compares them with all other items of the store, whatever their
  /// folder and type, and with the other models of the same save. A missing field and null don't
  /// count as a value. Two saves of one store cannot both take a value; other
  /// programs are not checked.
  static var uniqueFields: [FieldPath] { get }

  /// Checks the model before it is saved; by default it accepts everything.
  ///
  /// - Throws: Any error. Then nothing is saved, and the save throws this error.
  func validate() throws

  /// Changes the model right before it is written, for a field such as `updatedAt`; by default it does nothing.
  ///
  /// ```swift
  /// mutating func willSave() { updatedAt = .now }
  /// ```
  ///
  /// It runs for new models and for those with other values, not for a save that changes nothing, on the task
  /// that saves, or when the model is added to a scope. It may run again if another program changed the item
  /// meanwhile. It must not change the id. What it changed is validated. The `object`
  /// of the outcome has what the hook changed; compare the next `save(_:from:)` with that.
  mutating func willSave()

  /// Runs after the model was written; by default it does nothing. Every list of the store shows the model
  /// then, and the save has not returned yet.
  func didSave()
}

extension PlainModel {
  /// No defaults.
  public static var defaults: Fields { [:] }
  /// No changes.
  public static var changes: [ModelChange] { [] }
  /// No unique fields.
  public static var uniqueFields: [FieldPath] { [] }
  /// Accepts every model.
  public func validate() throws {}
  /// Changes nothing.
  public mutating func willSave() {}
  /// Does nothing.
  public func didSave() {}
}

extension PlainModel where ID: ItemIDConvertible {
  /// The id of the item for `id`: a string exactly, a UUID in lowercase, the digits of an integer. The id of
  /// a row in one of several sections is that of its item.
  public var itemID: Item.ID { id.itemID.item }
}

extension KnownModels {
  func record(_ type: any PlainModel.Type, in folder: RelativePath, isDeep: Bool) {
    record(
      type, in: folder, isDeep: isDeep, check: KnownModels.check(type), links: KnownModels.links(of: type))
  }

  private static func links<Object: PlainModel>(of type: Object.Type) -> Links {
    let migration = ModelMigration(of: type)
    return { item in
      let found = FoundLinks()
      guard (try? item.decode(type, links: found)) != nil else { return nil }
      let form = migration.edits(of: item)
      return found.all.map { link in
        // Links are changed where the file has them: it may have an older form.
        let keys = form.pathInFile(link.path.keys)
        return (link.id, FieldPath(keys: keys).asWritten(in: item.fields.value))
      }
    }
  }

  private static func check<Object: PlainModel>(_ type: Object.Type) -> Check {
    let migration = ModelMigration(of: type)
    return { old, new in
      guard (try? old.decode(type)) != nil else { return nil }
      for case .rename(let path, let name) in migration.edits(of: old).edits {
        let other = FieldPath(keys: path.keys.dropLast() + [name])
        if new.value(at: path) == nil || new.value(at: other) == nil { continue }
        throw EditError(
          .invalid, old.id, old.path,
          "The file has the older name `\(path)` of `\(other)`, which would be hidden.",
          advice: "Edit `\(path)`, or call `migrate` first.")
      }
      guard let object = try? new.decode(type) else { return nil }
      try object.validate()
      return ModelEdits.uniqueValues(of: type, in: new)
    }
  }
}
