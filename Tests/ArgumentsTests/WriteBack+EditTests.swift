import Files
import Store
import TestSupport
import Testing
import TextEdits
import Values
import Streams

@testable import notes_watch

/// One random edit at any place of a line.
@Suite struct WriteBackEditTests {
  @Test(arguments: TextFormat.allCases)
  func `an edit of a line is refused, or made without other changes`(format: TextFormat) throws {
    var (refused, written) = (0, 0)
    for seed in Randomness.seeds(400) {
      var random = SeededGenerator(seed: seed)
      guard let file = random.file(as: format) else { continue }
      for _ in 0..<8 {
        let paths = random.oneIn(3) ? [] : random.paths(of: file.item)
        let line = try #require(PackedValue(reading: file.line(showing: paths), as: .json).value.fields)
        var edit = random.lineEdit(of: line["value"] ?? .null)
        guard let edited = edit.applied(to: line["value"] ?? .null) else { continue }
        var changed = line
        changed["value"] = edited
        changed["numbers"] = line["numbers"]
        let read = try ItemLine(Array(JSONWriter.text(of: .map(changed)).utf8))
        let note: Comment =
          "\(edit) \(JSONWriter.text(of: .map(line))) of \(JSONWriter.text(of: .map(file.fields))) \(paths) \(seedNote(seed))"
        guard let fields = try? file.item.fields(writingBack: #require(read.value), computed: read.computed)
        else {
          refused += 1
          continue
        }
        written += 1
        edit.adopt(read)
        #expect(edit.allows(fields, from: file.fields, line: line), note)
        let saved: GeneratedFile
        do {
          saved = try file.file(with: fields, as: format)
        } catch {
          // JSON has no .inf, and a body is a string.
          #expect(error is TextEditError, note)
          continue
        }
        #expect(saved.fields == fields, note)
        if fields == file.fields { #expect(saved.bytes == file.bytes, note) }
      }
    }
    #expect(refused > 0)
    #expect(written > refused)
  }
}

/// A change of a line by a program that does not know the item.
private struct LineEdit {
  enum Change {
    case set(Value)
    case insert(Value)
    case remove
  }

  let keys: [String]
  var change: Change

  /// Adopts the new value as the line has it: at the place of a `.nan`, the string ".inf" is a
  /// number too.
  mutating func adopt(_ line: ItemLine) {
    guard let new = Value.map(line.value ?? [:]).element(at: FieldPath(keys: keys)) else { return }
    switch change {
    case .set: change = .set(new)
    case .insert: change = .insert(new)
    case .remove: break
    }
  }

  /// Returns the changed value; nil if nothing would change.
  func applied(to value: Value) -> Value? {
    let path = FieldPath(keys: keys)
    let edit: TextEdit
    switch change {
    case .set(let new): edit = .set(path, new)
    case .insert(let new): edit = .insert(path, new)
    case .remove: edit = .remove(path)
    }
    guard let fields = value.fields, let edited = try? fields.applying([edit]), edited != fields else {
      return nil
    }
    return .map(edited)
  }

  /// Returns true if the fields have the edit, or if they are rightly unchanged.
  func allows(_ fields: Fields, from old: Fields, line: Fields) -> Bool {
    guard isOfFile(old, line) else {
      // A computed part, or one below a list: only another spelling of the same value is allowed,
      // which is not an edit.
      return fields == old
    }
    if PseudoField(rawValue: keys[0]) != nil { return fields == old }
    // Nothing is removed from maps of the file.
    if case .remove = change, isThroughMaps(old) || Value.map(old).element(at: FieldPath(keys: keys)) == nil {
      return fields == old
    }
    if case .set(let new) = change, let own = Value.map(old).element(at: FieldPath(keys: keys)),
      own.isListed(as: new)
    {
      return fields == old
    }
    if fields == old, isPrintedByOperator(old) { return true }
    if case .set(.map(let new)) = change, isThroughMaps(old),
      let own = Value.map(old).element(at: FieldPath(keys: keys))?.fields
    {
      // Maps are merged. A value that the line has in another spelling, such as 1 for 1.0, stays.
      let changed = new.filter { entry in
        own.first { $0.key == entry.key }.map { !$0.value.isListed(as: entry.value) } ?? true
      }
      let edits = changed.map { TextEdit.set(FieldPath(keys: keys + [$0.key]), $0.value) }
      return (try? edits.isEmpty ? old : old.applying(edits)) == fields
    }
    if case .set(let new) = change, case .list? = Value.map(old).element(at: FieldPath(keys: keys)),
      new.fields != nil, fields == old
    {
      // As `tags.@count` prints it.
      return true
    }
    if case .set(let new) = change, new.fields?.isEmpty ?? false,
      case .map? = line["value"]?.element(at: FieldPath(keys: keys)),
      fields == old
    {
      // A map without the computed parts that it was shown for.
      return true
    }
    // A new map may have the computed parts of the one that was shown.
    if line["computed"]?.element(at: FieldPath(keys: keys)) != nil, case .set(.map) = change { return true }
    guard let wanted = applied(to: .map(old), keys[...])?.fields else { return fields == old }
    // An old element may be in the new list: then its 1.0 stays as it is, although the line has 1.
    if case .set(.list) = change { return Value.map(fields).isListed(as: .map(wanted)) }
    return fields == wanted
  }

  /// True for the result of an `@` operator if the file has no such field. The line may have lost
  /// its mark.
  private func isPrintedByOperator(_ old: Fields) -> Bool {
    guard case .set(let new) = change else { return false }
    let path = if case .map(let parts) = new, parts.count == 1 { keys + [parts[0].key] } else { keys }
    return ListOperator(rawValue: path[path.count - 1]) != nil
      && Value.map(old).element(at: FieldPath(keys: path)) == nil
  }

  /// Missing parts of the path become maps. Nil if there is no such place.
  private func applied(to value: Value?, _ keys: ArraySlice<String>) -> Value? {
    guard let key = keys.first else { return value }
    switch value ?? Value.map([:]) {
    case .null: return applied(to: .map([:]), keys)
    case .map(var fields):
      if keys.count == 1 {
        fields[key] = newValue
      } else {
        fields[key] = applied(to: fields[key], keys.dropFirst())
      }
      return .map(fields)
    case .list(var elements):
      guard let index = Int(key), index <= elements.count else { return nil }
      switch change {
      case .insert(let new) where keys.count == 1: elements.insert(new, at: index)
      case .remove where keys.count == 1: elements.remove(at: index)
      case .set(let new) where keys.count == 1: elements[index] = new
      default: elements[index] = applied(to: elements[index], keys.dropFirst()) ?? elements[index]
      }
      return .list(elements)
    default: return nil
    }
  }

  private var newValue: Value? {
    switch change {
    case .set(let new), .insert(let new): new
    case .remove: nil
    }
  }

  /// True if the line shows the file's own value at this place, not a computed value or one from
  /// the elements of a list.
  private func isOfFile(_ old: Fields, _ line: Fields) -> Bool {
    var (own, shown, computed): (Value?, Value?, Value?) = (.map(old), line["value"], line["computed"])
    for key in keys {
      if computed?[key] == .bool(true) { return false }
      if case .list? = own, case .map? = shown { return false }
      (own, shown, computed) = (
        own?.element(at: FieldPath(keys: [key])), shown?.element(at: FieldPath(keys: [key])), computed?[key]
      )
    }
    return true
  }

  private func isThroughMaps(_ old: Fields) -> Bool {
    var value: Value? = .map(old)
    for key in keys {
      guard case .map(let fields)? = value else { return false }
      value = fields[key]
    }
    return true
  }
}

extension SeededGenerator {
  private static let names = ["SIZE", "FIRST", "LAST", "0", "@count", "@size", "@max", "new", "a", "m"]

  fileprivate mutating func lineEdit(of value: Value) -> LineEdit {
    var (keys, value): ([String], Value) = ([], value)
    while true {
      switch value {
      case .map(let fields):
        if fields.isEmpty || oneIn(6) {
          return LineEdit(keys: keys + [one(of: SeededGenerator.names)], change: .set(newValue()))
        }
        let field = fields[below(fields.count)]
        keys.append(field.key)
        value = field.value
      case .list(let elements):
        let index = below(elements.count + 1)
        if index == elements.count || oneIn(4) {
          return LineEdit(keys: keys + [String(index)], change: .insert(newValue()))
        }
        keys.append(String(index))
        value = elements[index]
      default: return LineEdit(keys: keys, change: oneIn(4) ? .remove : .set(newValue()))
      }
      if oneIn(8) { return LineEdit(keys: keys, change: oneIn(2) ? .remove : .set(newValue())) }
    }
  }

  private mutating func newValue() -> Value {
    switch below(8) {
    case 0, 1, 2: .number(.integer(below(4)))
    case 3: .list([.number(.integer(below(3)))])
    case 4: .map([one(of: SeededGenerator.names): .number(.integer(below(3)))])
    case 5: .map(["SIZE": 0, "lid": "blue"])
    case 6: .string(one(of: [".nan", ".inf", "2024-02-01", "3.10", ""]))
    default: one(of: [.null, .bool(true), .map([:]), .number(.literal("3.10")), "edited"])
    }
  }
}
