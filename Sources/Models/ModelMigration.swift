import Query
import TextEdits
import Values

/// The changes of a model, prepared for the items of a list.
struct ModelMigration: Sendable {
  private let changes: [ModelChange]
  /// The fields of the root that the changes read or make.
  private let names: [FieldPath]

  init(of type: any PlainModel.Type) { self.init(type.changes) }

  init(_ changes: [ModelChange]) {
    self.changes = changes
    var seen: Set<FieldPath> = []
    names = changes.flatMap(\.rootFields).filter { seen.insert($0).inserted }
  }

  var isEmpty: Bool { changes.isEmpty }

  /// Returns the function that a save needs to merge files of several forms; nil if the type has one form.
  static func edits(as type: any PlainModel.Type) -> (@Sendable (Fields) -> [TextEdit])? {
    let migration = ModelMigration(of: type)
    if migration.isEmpty { return nil }
    return { fields in migration.edits(of: fields).edits }
  }

  /// Returns the edits that give the file of an item the form that the type has now. If its form is not
  /// older, that costs the reading of a few fields.
  func edits(of item: Item) -> MigrationEdits {
    if changes.isEmpty { return MigrationEdits() }
    var fields = Fields()
    for name in names {
      if let value = item.fields.value(at: name) { fields.append(value, unique: name.keys[0]) }
    }
    return edits(of: fields)
  }

  func edits(of fields: Fields) -> MigrationEdits {
    if changes.isEmpty { return MigrationEdits() }
    var migrator = ModelMigrator()
    let found = migrator.edits(of: fields, changes)
    if found.edits.isEmpty || found.failure != nil { return found }
    // If a change applied to its own result, each save would convert the value once more.
    let again = migrator.edits(of: found.applied(to: fields), changes)
    guard let path = again.edits.first?.path.keys ?? again.failure?.path else { return found }
    return MigrationEdits(
      failure: (
        found.pathInFile(path),
        "`changes` of the type converts its own result again. It must return nil for a value that has the new "
          + "form. If the value cannot tell, give the field a new name after it is converted."
      ))
  }

  /// Returns the item as the type reads it. A value that cannot be converted stays as it is.
  func current(_ item: Item) -> Item { edits(of: item).applied(to: item) }
}

extension ModelChange {
  /// True if only keys lead to the field, as they must.
  var isOfKeys: Bool { field.steps.allSatisfy { if case .key = $0 { true } else { false } } }

  /// The new name, if the change is that of a field of the root.
  var newRootName: String? {
    if case .renamed(let name) = kind, field.steps.count == 1 { name } else { nil }
  }

  /// The first key of the path.
  var rootName: String { field.keys[0] }

  /// The change of the value at the first key; nil if the change is that of a field of the root.
  fileprivate var part: ModelChange? {
    field.keys.count == 1
      ? nil : ModelChange(field: FieldPath(keys: Array(field.keys.dropFirst())), kind: kind)
  }

  fileprivate var rootFields: [FieldPath] {
    if !isOfKeys { return [] }
    return [rootName, newRootName].compactMap { $0 }.map { FieldPath(keys: [$0]) }
  }
}

/// The edits of one file that give its fields the form that the type has now.
struct MigrationEdits {
  var edits: [TextEdit] = []
  /// The keys of the first value that could not be converted, as the changes before name them, and a sentence.
  var failure: (path: [String], reason: String)?

  var error: DecodingError? {
    failure.map { failure in
      .dataCorrupted(
        .init(codingPath: failure.path.map(PathKey.init(stringValue:)), debugDescription: failure.reason))
    }
  }

  /// True if the file has an older form, or a value that may be of one.
  var isNeeded: Bool { !edits.isEmpty || failure != nil }

  func applied(to fields: Fields) -> Fields {
    edits.isEmpty ? fields : (try? fields.applying(edits)) ?? fields
  }

  func applied(to item: Item) -> Item {
    if edits.isEmpty { return item }
    let fields = applied(to: item.fields.value.fields ?? [:])
    return Item(id: item.id, path: item.path, stamp: item.stamp, fields: PackedValue(.map(fields)))
  }

  /// Returns the keys of a value in the file.
  func pathInFile(_ path: [String]) -> [String] {
    edits.reversed().reduce(path) { path, edit in
      guard case .rename(let old, let name) = edit else { return path }
      let new = old.keys.dropLast() + [name]
      let isBelow = path.count >= new.count && zip(path, new).allSatisfy { $0.hasSameBytes(as: $1) }
      return isBelow ? old.keys + path.dropFirst(new.count) : path
    }
  }
}

/// Makes the changes of a type to the fields of one file.
///
/// Keys are renamed first, then values are set, so that a key and its comments keep their place, and only the
/// parts of a value that differ are written.
private struct ModelMigrator {
  /// A field of a map while the changes are made.
  private struct Part {
    var key: String
    var value: Value
    /// True for a key that has a newer name beside it.
    let isOvertaken: Bool
    /// The changes that lead into the value and are still to be made.
    var waiting: [ModelChange] = []
    /// True if the file has another value, so that no edit can lead into it.
    var isConverted: Bool
  }

  private var renames: [TextEdit] = []
  private var failure: (path: [String], reason: String)?

  mutating func edits(of fields: Fields, _ changes: [ModelChange]) -> MigrationEdits {
    (renames, failure) = ([], nil)
    let new = migrated(fields, changes.filter(\.isOfKeys), at: [], isWritten: true)
    let old = (try? fields.applying(renames)) ?? fields
    return MigrationEdits(edits: renames + TextEdit.edits(from: old, to: new), failure: failure)
  }

  /// - Parameter isWritten: True if the map is in the file, so that its keys can be renamed there.
  private mutating func migrated(
    _ fields: Fields, _ changes: [ModelChange], at path: [String], isWritten: Bool
  )
    -> Fields
  {
    let overtaken = ModelMigrator.overtaken(in: fields, changes)
    var parts = fields.enumerated().map { place, field in
      Part(
        key: field.key, value: field.value, isOvertaken: overtaken.contains(place), isConverted: !isWritten)
    }
    for change in changes {
      guard
        let place = parts.firstIndex(where: { !$0.isOvertaken && $0.key.hasSameBytes(as: change.rootName) })
      else { continue }
      if let part = change.part {
        parts[place].waiting.append(part)
        continue
      }
      switch change.kind {
      case .renamed(let name):
        if isWritten { renames.append(.rename(FieldPath(keys: path + [parts[place].key]), to: name)) }
        parts[place].key = name
      case .converted(let convert):
        finish(&parts[place], at: path)
        self.convert(&parts[place], at: path, convert)
      }
    }
    for place in parts.indices { finish(&parts[place], at: path) }
    return Fields(unique: parts.map { ($0.key, $0.value) })
  }

  /// Makes the changes that lead into the value of a part.
  private mutating func finish(_ part: inout Part, at path: [String]) {
    if part.waiting.isEmpty { return }
    part.value = migrated(part.value, part.waiting, at: path + [part.key], isWritten: !part.isConverted)
    part.waiting = []
  }

  private mutating func migrated(_ value: Value, _ changes: [ModelChange], at path: [String], isWritten: Bool)
    -> Value
  {
    switch value {
    case .map(let fields): return .map(migrated(fields, changes, at: path, isWritten: isWritten))
    case .list(let elements):
      return .list(
        elements.enumerated().map { number, element in
          migrated(element, changes, at: path + [String(number)], isWritten: isWritten)
        })
    default: return value
    }
  }

  private mutating func convert(
    _ part: inout Part, at path: [String], _ convert: @Sendable (Value) throws -> Value?
  ) {
    if part.value == .null { return }
    do {
      guard let new = try convert(part.value).map({ PackedValue($0).value }),
        !new.hasSameValue(as: part.value)
      else { return }
      part.value = new
      part.isConverted = true
    } catch {
      if failure != nil { return }
      var reason = "\(error)"
      if case .dataCorrupted(let context)? = error as? DecodingError { reason = context.debugDescription }
      failure = (path + [part.key], "This value cannot be converted: \(reason)")
    }
  }

  /// Returns the places of the keys that would get a name that is there already. They stay as they are.
  private static func overtaken(in fields: Fields, _ changes: [ModelChange]) -> Set<Int> {
    var found: Set<Int> = []
    let renames = changes.compactMap { change in change.newRootName.map { (old: change.rootName, new: $0) } }
    func next() -> Int? {
      var keys = Array(fields.keys)
      for rename in renames {
        let place = keys.indices.first { !found.contains($0) && keys[$0].hasSameBytes(as: rename.old) }
        guard let place else { continue }
        if keys.contains(where: { $0.hasSameBytes(as: rename.new) }) { return place }
        keys[place] = rename.new
      }
      return nil
    }
    while let place = next() { found.insert(place) }
    return found
  }
}
