/// The text of an item, for edits that change only the necessary bytes.
///
/// ```swift
/// let item = ItemText(Array("title: Notes  # mine\nrating: 5\n".utf8), as: .yaml)
/// let edited = try item.applying([.set("rating", 6)])
/// // title: Notes  # mine
/// // rating: 6
/// ```
///
/// New text follows the style of the existing text: indentation, quotes, brackets or lines, line
/// breaks. A string is written so that readers of YAML 1.1 and 1.2 read the same string; a date is
/// written without quotes only where a value of the same name is.
public struct ItemText: Sendable {
  /// The text of the file.
  public let bytes: [UInt8]
  /// The format of the text.
  public let format: TextFormat
  /// The limits for reading the text.
  public let limits: ReadLimits

  /// Creates an item text. Errors in the text are reported by `applying(_:)`.
  ///
  /// - Parameters:
  ///   - bytes: the complete file.
  ///   - format: the format of the file.
  ///   - limits: the limits for reading the text before and after the edits.
  public init(_ bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits()) {
    self.bytes = bytes
    self.format = format
    self.limits = limits
  }

  /// Applies edits, one after the other, and returns the new text. If one is refused, none is made.
  ///
  /// The result is read again and must contain exactly the old values with these changes. An edit
  /// that changes no value changes no byte.
  ///
  /// - Parameter edits: the edits, in order.
  /// - Throws: the error of the first edit that cannot be made, with its place in the text.
  /// - Complexity: linear in the text per edit; independent edits are made in one pass.
  public func applying(_ edits: [TextEdit]) throws(TextEditError) -> [UInt8] {
    guard let first = edits.first else { return bytes }
    var state = State(bytes: bytes, value: try read(bytes, first))
    try checkFrontMatter(edits, of: state.value)
    var rest = edits[...]
    // If edits cannot be made together, fewer are tried, so that failed attempts do not cost more
    // than single edits.
    var batchLimit = rest.count
    while let edit = rest.first {
      let count = IndependentEdits.prefix(of: rest.prefix(batchLimit), in: state.value)
      if count > 1 {
        if let together = apply(rest.prefix(count), to: state) {
          state = together
          rest = rest.dropFirst(count)
        } else {
          batchLimit = count / 2
        }
        continue
      }
      do {
        state = try apply(edit, to: state)
      } catch {
        throw located(error, edit, state.bytes)
      }
      rest = rest.dropFirst()
      batchLimit = min(2 * batchLimit + 1, rest.count)
    }
    return state.bytes
  }

  /// A text and its value.
  private struct State {
    var bytes: [UInt8]
    var value: Value
  }

  /// Makes independent edits together. Returns nil if that fails; single edits then show the
  /// reason.
  private func apply(_ edits: ArraySlice<TextEdit>, to state: State) -> State? {
    let edits = edits.map(\.asRead)
    // A new item may have thousands of fields, and each edit alone would cost a pass over the map.
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
      throw EditRefusal(.unwritable, "The path is deeper than \(limits.depth) levels, the limit for a file. Use a shorter path.")
    }
    let edit = edit.asRead
    let wanted = try state.value.applying(edit)
    if wanted == state.value { return state }
    guard let text = try? LocatedText(reading: state.bytes, as: format, limits: limits) else {
      throw EditRefusal(.unreadable, "The text is UTF-16, which can be read but not edited. Save the file as UTF-8.")
    }
    let planner = EditPlanner(text)
    var problem: TextError?
    for caution in planner.cautions {
      for splices in try planner.candidates(edit, reading: state.value, caution) {
        if let bytes = check(splices, on: state.bytes, wanted, &problem) { return State(bytes: bytes, value: wanted) }
      }
    }
    throw explain(edit, text, state.value, problem)
  }

  /// Returns the edited text if it reads as `wanted`.
  private func check(_ splices: [Splice], on bytes: [UInt8], _ wanted: Value, _ problem: inout TextError?) -> [UInt8]? {
    let result = Splice.apply(splices, to: bytes)
    do {
      return try PackedValue(reading: result, as: format, limits: limits).value == wanted ? result : nil
    } catch {
      problem = problem ?? error
      return nil
    }
  }

  /// Finds the reason why no way to make an edit gives the wanted value.
  private func explain(_ edit: TextEdit, _ text: LocatedText, _ value: Value, _ problem: TextError?) -> EditRefusal {
    if let slot = try? EditPath(edit.path.keys, in: text, reading: value).last, let range = slot.range(touchedBy: edit),
      let use = AnchorUses(text.root).use(reaching: range)
    {
      let place = text.place(at: use.range.lowerBound)
      return EditRefusal(
        .anchor,
        "The alias *\(use.name) at line \(place.line), column \(place.column) refers to this value and would change with it. Set the value there first."
      )
    }
    let reason = problem.map { "the result would not be readable (\($0.message))" } ?? "other values would change, too"
    return EditRefusal(.unverified, "This edit cannot be made without changing more of the text: \(reason). Edit the file by hand.")
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
        message: "The text cannot be edited, because it cannot be read. \(error.message)")
    }
    throw TextEditError(
      reason: .wrongKind, path: edit.path.description, line: 1, column: 1,
      message: "The file does not contain a map. Write `key: value` lines.")
  }

  /// Refuses edits of front matter that is not read, except those that change no value.
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
