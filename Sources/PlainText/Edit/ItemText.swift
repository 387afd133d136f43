/// The text of an item, to be edited without touching a byte that need not change.
///
/// ```swift
/// let item = ItemText(Array("title: Notes  # mine\nrating: 5\n".utf8), as: .yaml)
/// let edited = try item.applying([.set("rating", 6)])
/// // title: Notes  # mine
/// // rating: 6
/// ```
///
/// What is new follows the style of the text: indentation, quotes, brackets or lines, line ends. A string is written so that readers of
/// YAML 1.1 and 1.2 both read it back; a date goes without quotes only where one of its name does already.
public struct ItemText: Sendable {
  public let bytes: [UInt8]
  public let format: TextFormat
  public let limits: ReadLimits

  public init(_ bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits()) {
    self.bytes = bytes
    self.format = format
    self.limits = limits
  }

  /// The text after these edits, one after the other, or nothing of them where one is refused.
  ///
  /// What comes out is read again, and has to be the old values with just those changes. An edit that changes no value changes no byte.
  /// Linear in the text for each edit; edits that have nothing to do with each other are made in one go.
  public func applying(_ edits: [TextEdit]) throws(TextEditError) -> [UInt8] {
    guard let first = edits.first else { return bytes }
    var state = State(bytes: bytes, value: try read(bytes, first))
    try checkFrontMatter(edits, of: state.value)
    var rest = edits[...]
    // Where edits cannot be made together fewer are tried, so that the failures cost no more than the edits one by one.
    var most = rest.count
    while let edit = rest.first {
      let count = IndependentEdits.prefix(of: rest.prefix(most), in: state.value)
      if count > 1 {
        if let together = apply(rest.prefix(count), to: state) {
          state = together
          rest = rest.dropFirst(count)
        } else {
          most = count / 2
        }
        continue
      }
      do {
        state = try apply(edit, to: state)
      } catch {
        throw located(error, edit, state.bytes)
      }
      rest = rest.dropFirst()
      most = min(2 * most + 1, rest.count)
    }
    return state.bytes
  }

  /// A text and what it reads as.
  private struct State {
    var bytes: [UInt8]
    var value: Value
  }

  /// Edits that are independent, in one go. Nil where that cannot be done; one by one it will be found out why.
  private func apply(_ edits: ArraySlice<TextEdit>, to state: State) -> State? {
    let edits = edits.map(\.asRead)
    // A new item may have many thousand fields, and one edit at a time costs a pass over the map each.
    var (wanted, insertCount) = state.value.insertingFields(of: edits)
    var changes = Array(edits.prefix(insertCount))
    for edit in edits.dropFirst(insertCount) {
      guard edit.path.keys.count <= limits.depth, let next = try? wanted.applying(edit) else { return nil }
      if next != wanted { changes.append(edit) }
      wanted = next
    }
    guard let text = try? LocatedText(reading: state.bytes, as: format, limits: limits) else { return nil }
    let planner = EditPlanner(text)
    for caution in planner.cautions {
      var problem: TextError?
      if let splices = planner.splices(changes, reading: state.value, caution),
        let bytes = check(splices, on: state.bytes, wanted, &problem)
      {
        return State(bytes: bytes, value: wanted)
      }
    }
    return nil
  }

  private func apply(_ edit: TextEdit, to state: State) throws(EditRefusal) -> State {
    guard edit.path.keys.count <= limits.depth else {
      throw EditRefusal(.unwritable, "The path goes deeper than \(limits.depth) levels, which no file may.")
    }
    let edit = edit.asRead
    let wanted = try state.value.applying(edit)
    if wanted == state.value { return state }
    guard let text = try? LocatedText(reading: state.bytes, as: format, limits: limits) else {
      throw EditRefusal(.unreadable, "The text cannot be edited as it is: UTF-16 has to be saved as UTF-8.")
    }
    let planner = EditPlanner(text)
    var problem: TextError?
    for caution in planner.cautions {
      for splices in try planner.ways(edit, reading: state.value, caution) {
        if let bytes = check(splices, on: state.bytes, wanted, &problem) { return State(bytes: bytes, value: wanted) }
      }
    }
    throw explain(edit, text, state.value, problem)
  }

  /// What comes out, where it reads as it should.
  private func check(_ splices: [Splice], on bytes: [UInt8], _ wanted: Value, _ problem: inout TextError?) -> [UInt8]? {
    let result = Splice.apply(splices, to: bytes)
    do {
      return try PackedValue(reading: result, as: format, limits: limits).value == wanted ? result : nil
    } catch {
      problem = problem ?? error
      return nil
    }
  }

  private func explain(_ edit: TextEdit, _ text: LocatedText, _ value: Value, _ problem: TextError?) -> EditRefusal {
    if let slot = try? EditPath(edit.path.keys, in: text, reading: value).last, let range = slot.range(touchedBy: edit),
      let use = AnchorUses(text.root).use(reaching: range)
    {
      let place = text.place(at: use.range.lowerBound)
      return EditRefusal(
        .anchor,
        "The alias *\(use.name) at line \(place.line), column \(place.column) takes its value from here, and would change too. Set what stands there first."
      )
    }
    let reason = problem.map { "it would not be readable (\($0.message))" } ?? "other values would change with it"
    return EditRefusal(.unverified, "This edit cannot be made without touching more of the text: \(reason). Make it by hand.")
  }
}

extension ItemText {
  private func read(_ bytes: [UInt8], _ edit: TextEdit) throws(TextEditError) -> Value {
    do {
      let value = try PackedValue(reading: bytes, as: format, limits: limits).value
      if case .map = value { return value }
      if value == .null, try LocatedText(reading: bytes, as: format, limits: limits).root?.isUnwritten ?? true { return value }
    } catch {
      throw TextEditError(
        reason: .unreadable, path: edit.path.description, line: error.line, column: error.column,
        message: "The text cannot be read, so it is not edited. \(error.message)")
    }
    throw TextEditError(
      reason: .wrongKind, path: edit.path.description, line: 1, column: 1,
      message: "The text holds no map, as an item has to. Write lines of `key: value`.")
  }

  /// Edits that change no value are let through.
  private func checkFrontMatter(_ edits: [TextEdit], of value: Value) throws(TextEditError) {
    guard let found = ForeignFrontMatter(of: bytes, as: format) else { return }
    for edit in edits where (try? value.applying(edit.asRead)) != value {
      throw TextEditError(reason: .foreignFrontMatter, path: edit.path.description, line: 1, column: 1, message: found.sentence)
    }
  }

  private func located(_ refusal: EditRefusal, _ edit: TextEdit, _ bytes: [UInt8]) -> TextEditError {
    let text = try? LocatedText(reading: bytes, as: format, limits: limits)
    let place = refusal.offset.flatMap { text?.place(at: $0) } ?? text?.place(of: edit.path) ?? TextPlace(line: 1, column: 1)
    return TextEditError(
      reason: refusal.reason, path: edit.path.description, line: place.line, column: place.column, message: refusal.message)
  }
}
