import Query
import Store

struct ModelEdits {
  let edits: [TextEdit]
  let fields: Fields
  let revision: ItemRevision

  /// - Parameter original: The model as it was read; nil for the one that the item decodes to.
  /// - Throws: `EditError` with the code `invalid` if one of the models cannot be encoded, or the
  ///   changed item would not decode.
  init<Object: PlainModel>(_ item: Item, to object: Object, from original: Object?) throws(EditError) {
    let migration = ModelMigration(of: Object.self).edits(of: item)
    let current = migration.applied(to: item.fields.value.fields ?? [:])
    let read = try ModelEdits.decode(item, as: Object.self)
    // Equal models need not have equal encodings, so these are not compared.
    if object == read, original == nil || original == read {
      edits = []
      fields = current
      revision = item.revision
      return
    }
    if migration.isNeeded {
      do throws(StoreError) { try ModelKeys(of: Object.self).checkChanges() } catch {
        throw EditError(.invalid, item.id, item.path, error.message)
      }
    }
    var old = current
    var base = try ModelEdits.fields(of: read, item)
    let wanted = try ModelEdits.fields(of: object, item)
    var isFileAsRead = true
    if let original, original != read {
      let values = try ModelEdits.fields(of: original, item)
      old = try ModelEdits.settled(
        ModelEdits.merge(current, base, values, item, as: Object.self), of: item.id, item.path,
        as: Object.self)
      base = values
      isFileAsRead = false
    }
    let isUnchanged = object == (original ?? read)
    fields =
      isUnchanged
      ? old
      : try ModelEdits.settled(
        ModelEdits.merge(old, base, wanted, item, as: Object.self), of: item.id, item.path, as: Object.self)
    let changes = TextEdit.edits(from: old, to: fields)
    // The revision of a file that was changed since is made up, and has the new form.
    edits = isFileAsRead && !changes.isEmpty ? migration.edits + changes : changes
    revision =
      isFileAsRead
      ? item.revision : ItemRevision(path: item.path, stamp: item.stamp, fields: PackedValue(.map(old)))
  }

  /// Returns fields that are read as they are. A field that is missing although the file has its older name is
  /// null instead, because the older one would be read.
  ///
  /// - Throws: `EditError` if `changes` of the type would convert one of the values.
  static func settled<Object: PlainModel>(
    _ fields: Fields, of id: Item.ID, _ path: RelativePath?, as type: Object.Type
  ) throws(EditError) -> Fields {
    let migration = ModelMigration(of: type)
    let nulls = migration.edits(of: fields).edits.compactMap { edit -> TextEdit? in
      guard case .rename(let old, let name) = edit else { return nil }
      return .set(FieldPath(keys: old.keys.dropLast() + [name]), .null)
    }
    let settled = (try? fields.applying(nulls)) ?? fields
    let again = migration.edits(of: settled)
    guard let keys = again.failure?.path ?? again.edits.first?.path.keys else { return settled }
    throw EditError(
      .invalid, id, path,
      "`changes` of `\(type)` would convert the new value of `\(FieldPath(keys: keys))`.")
  }

  /// Applies the difference of two encodings to the fields of an item. If the result does not read
  /// back as the wanted model, missing maps are written completely.
  private static func merge<Object: PlainModel>(
    _ full: Fields, _ base: Fields, _ wanted: Fields, _ item: Item, as type: Object.Type
  ) throws(EditError) -> Fields {
    var merge = ModelMerge(defaults: type.defaults)
    merge.alone = { path, element in
      let path = FieldPath(keys: path)
      guard let fields = try? full.applying([.set(path, .list([element]))]),
        let encoded = encoding(of: fields, item, type),
        case .list(let values)? = Value.map(encoded).value(at: path)
      else { return nil }
      return values
    }
    let small = asRead(merge.merged(full, base, wanted))
    if isRead(small, as: wanted, item, type) { return small }
    merge.writesChangesOnly = false
    let large = asRead(merge.merged(full, base, wanted))
    // The last resort: all fields that the type knows as it encodes them.
    let complete = asRead(full.merging(merge.inserted(wanted)))
    for fields in [large, complete] where isRead(fields, as: wanted, item, type) { return fields }
    // A type may encode less than it has. Then the result need only be readable.
    _ = try decode(
      Item(id: item.id, path: item.path, stamp: item.stamp, fields: PackedValue(.map(small))), as: type)
    return small
  }

  private static func isRead<Object: PlainModel>(
    _ fields: Fields, as wanted: Fields, _ item: Item, _ type: Object.Type
  ) -> Bool {
    encoding(of: fields, item, type) == wanted
  }

  private static func encoding<Object: PlainModel>(of fields: Fields, _ item: Item, _ type: Object.Type)
    -> Fields?
  {
    let item = Item(id: item.id, path: item.path, stamp: item.stamp, fields: PackedValue(.map(fields)))
    guard let object = try? ValueDecoder(item, defaults: type.defaults).decodeWhole(type) else { return nil }
    return try? ValueEncoder.fields(of: object)
  }

  /// Decodes an item. The error has the reason as a sentence.
  static func decode<Object: PlainModel>(_ item: Item, as type: Object.Type) throws(EditError) -> Object {
    do {
      return try item.decode(type)
    } catch {
      let reason = Problem(decoding: item, as: type, error) { _ in nil }.message
      throw EditError(.invalid, item.id, item.path, "The item cannot be read as `\(type)`: \(reason)")
    }
  }

  static func fields<Object: PlainModel>(of object: Object, _ item: Item?) throws(EditError) -> Fields {
    do {
      return try ValueEncoder.fields(of: object)
    } catch {
      var reason = "\(error)"
      if case .invalidValue(_, let context)? = error as? EncodingError {
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        reason = (path.isEmpty ? "" : "\(path): ") + context.debugDescription
      }
      throw EditError(
        .invalid, object.itemID, item?.path, "This `\(Object.self)` cannot be written: \(reason)")
    }
  }

  /// Returns the values that no other item may have. A field that is missing or null has none.
  static func uniqueValues<Object: PlainModel>(of type: Object.Type, in item: Item) -> [UniqueValue] {
    if type.uniqueFields.isEmpty { return [] }
    return uniqueValues(of: type, in: ModelMigration(of: type).current(item).fields.value.fields ?? [:])
  }

  /// - Parameter fields: Fields that have the form of the type.
  static func uniqueValues<Object: PlainModel>(of type: Object.Type, in fields: Fields) -> [UniqueValue] {
    if type.uniqueFields.isEmpty { return [] }
    let read = Value.map(asRead(fields).filled(with: type.defaults))
    let migration = ItemMigration(of: type)
    return type.uniqueFields.compactMap { path in
      guard let value = read.value(at: path), value != .null else { return nil }
      return UniqueValue(path: path, value: value, migration: migration)
    }
  }

  /// Returns fields as a reader returns them: strings that are dates are dates.
  static func asRead(_ fields: Fields) -> Fields { PackedValue(.map(fields)).value.fields ?? fields }
}
