package import Store

extension JSONWriter {
  /// Returns a line of a stream, with its line break. `body` adds the fields after the type.
  package static func line(_ type: StaticString, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var line = JSONWriter()
    line.raw("{\"v\":1,\"type\":\"")
    line.raw(type)
    line.raw("\"")
    body(&line)
    line.raw("}\n")
    return line.bytes
  }

  /// Writes a field that follows another one.
  package mutating func field(_ name: StaticString, _ value: (inout JSONWriter) -> Void) {
    raw(",\"")
    raw(name)
    raw("\":")
    value(&self)
  }

  package mutating func field(_ name: StaticString, _ value: String) { field(name) { $0.write(value) } }

  package mutating func field(_ name: StaticString, _ value: Int) { field(name) { $0.write(value) } }

  package mutating func field(_ name: StaticString, _ value: Value) { field(name) { $0.write(value) } }

  /// Writes fields that follow another one.
  package mutating func fields(_ fields: Fields) {
    for (key, value) in fields {
      raw(",")
      write(key)
      raw(":")
      write(value)
    }
  }

  package mutating func list<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    raw("[")
    var isFirst = true
    for element in elements {
      separate(&isFirst)
      body(&self, element)
    }
    raw("]")
  }

  /// Writes `"value":…`, and `,"numbers":…` for non-finite numbers, which JSON writes as strings.
  package mutating func writeValue(_ fields: Fields) {
    let count = nonFiniteCount
    raw("\"value\":")
    write(.map(fields))
    if nonFiniteCount > count { writePlaces(in: fields) }
  }

  /// Writes the value of an item, reduced to some fields unless there are none, and `,"computed":…`
  /// if a part of it is not a field of the file. A value with all fields is not unpacked.
  package mutating func writeValue(of item: Item, showing fields: [FieldPath]) {
    guard fields.isEmpty, item.fields.isMap else {
      let (value, computed) = item.projection(fields)
      writeValue(value)
      guard let computed else { return }
      raw(",\"computed\":")
      return write(.map(computed))
    }
    let count = nonFiniteCount
    raw("\"value\":")
    write(item.fields)
    if nonFiniteCount > count { writePlaces(in: item.projected(fields)) }
  }

  private mutating func writePlaces(in fields: Fields) {
    guard let places = Value.map(fields).nonFinitePlaces else { return }
    field("numbers", places)
  }

  /// Writes `,"path":…,"value":…`.
  package mutating func writePathAndValue(of item: Item, showing fields: [FieldPath]) {
    field("path", item.path.description)
    raw(",")
    writeValue(of: item, showing: fields)
  }

  mutating func write(
    _ change: SnapshotDiff<SectionID, Item.ID>.SectionChange, titledIn snapshot: ListSnapshot<Item>
  ) {
    begin(change.operation, change.section.description, from: change.from, to: change.to) { $0.write($1) }
    if change.to != nil, let title = snapshot.title(of: change.section) {
      raw(",\"title\":")
      write(title)
    } else if case .update = change {
      // The section no longer has a title.
      raw(",\"title\":null")
    }
    raw("}")
  }

  mutating func write(_ change: SnapshotDiff<SectionID, Item.ID>.ItemChange, of update: ListUpdate<Item>) {
    let id = change.item
    begin(change.operation, id.description, from: change.from, to: change.to) { $0.write($1) }
    switch change {
    case .delete:
      raw(",\"reason\":")
      write(update.reason(forDeleting: id).description)
    case .insert:
      if let item = update.new.item(ofShownRow: id) {
        writePathAndValue(of: item, showing: update.new.request.fields)
      }
    case .move(_, _, _, isUpdated: false):
      if let item = update.new.item(ofShownRow: id) {
        raw(",\"path\":")
        write(item.path.description)
      }
    case .move, .update: writeChanges(of: id, in: update)
    }
    raw("}")
  }

  /// Writes what an update takes back, marked where it could be taken for a change.
  mutating func write(_ entry: TakenBack, in list: ListSnapshot<Item>, isMarked: Bool = false) {
    begin(entry.isDeleted ? "delete" : "update", entry.id.description, from: Int?.none, to: nil) {
      $0.write($1)
    }
    if !entry.isDeleted, let item = list.item(ofShownRow: entry.id) {
      writePathAndValue(of: item, showing: list.request.fields)
    } else {
      field("path", entry.path.description)
    }
    raw(isMarked ? ",\"takenBack\":true}" : "}")
  }

  mutating func endChanges(of update: ListUpdate<Item>) {
    raw("]")
    if !update.takenBack.isEmpty {
      raw(",\"takenBack\":")
      list(update.takenBack) { $0.write($1, in: update.new) }
    }
    raw("}\n")
  }

  /// Writes the start of a change, `{"op":…,"id":…,"from":…,"to":…`. The caller adds fields and the
  /// closing brace.
  private mutating func begin<Position>(
    _ op: String, _ id: String, from: Position?, to: Position?,
    _ write: (inout JSONWriter, Position) -> Void
  ) {
    raw("{\"op\":")
    self.write(op)
    raw(",\"id\":")
    self.write(id)
    if let from {
      raw(",\"from\":")
      write(&self, from)
    }
    if let to {
      raw(",\"to\":")
      write(&self, to)
    }
  }

  private mutating func write(_ place: Place<SectionID>) {
    raw("{\"section\":")
    write(place.section.description)
    field("index", place.index)
    raw("}")
  }

  private mutating func writeChanges(of id: Item.ID, in update: ListUpdate<Item>) {
    guard let item = update.new.item(ofShownRow: id), let changes = update.fieldChanges(of: id) else {
      return
    }
    field("path", item.path.description)
    raw(",\"fields\":")
    list(changes.pointers) { $0.write($1) }
    raw(",")
    writeValue(of: item, showing: update.new.request.fields)
    field("before", .map(changes.before))
  }
}

extension SnapshotDiff.ItemChange {
  package var operation: String {
    switch self {
    case .delete: "delete"
    case .insert: "insert"
    case .move: "move"
    case .update: "update"
    }
  }
}

extension SnapshotDiff.SectionChange {
  fileprivate var operation: String {
    switch self {
    case .delete: "delete"
    case .insert: "insert"
    case .move: "move"
    case .update: "update"
    }
  }
}
