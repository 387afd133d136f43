/// The text of an item, to be edited without touching a byte that need not change.
///
/// ```swift
/// let item = ItemText(Array("title: Notes  # mine\nrating: 5\n".utf8), as: .yaml)
/// let edited = try item.applying([.set(FieldPath(keys: ["rating"]), .number(.integer(6)))])
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
  /// After each edit the text is read again, and has to be the old values with just that change. An edit that changes no value changes
  /// no byte. Linear in the text for each edit.
  public func applying(_ edits: [TextEdit]) throws(TextEditError) -> [UInt8] {
    guard let first = edits.first else { return bytes }
    var bytes = bytes
    var value = try read(bytes, first)
    for edit in edits {
      do {
        try checkDepth(edit)
        let edit = edit.asRead
        let wanted = try value.applying(edit)
        if wanted == value { continue }
        bytes = try apply(edit, to: bytes, reading: value, wanting: wanted)
        value = wanted
      } catch {
        throw located(error, edit, bytes)
      }
    }
    return bytes
  }

  private func checkDepth(_ edit: TextEdit) throws(EditRefusal) {
    guard edit.path.keys.count > limits.depth else { return }
    throw EditRefusal(.unwritable, "The path goes deeper than \(limits.depth) levels, which no file may.")
  }

  private func apply(_ edit: TextEdit, to bytes: [UInt8], reading value: Value, wanting wanted: Value) throws(EditRefusal) -> [UInt8] {
    guard let text = try? LocatedText(reading: bytes, as: format, limits: limits) else {
      throw EditRefusal(.unreadable, "The text cannot be edited as it is: UTF-16 has to be saved as UTF-8.")
    }
    var problem: TextError?
    if format == .json {
      let splices = try JSONEditor(text).plan(edit, reading: value)
      if let result = check(splices, on: bytes, wanted, &problem) { return result }
    } else {
      let editor = YAMLEditor(text)
      for caution in YAMLCaution.allCases {
        for splices in try editor.plan(edit, reading: value, caution) {
          if let result = check(splices, on: bytes, wanted, &problem) { return result }
        }
      }
    }
    throw explain(edit, text, value, problem)
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

  private func located(_ refusal: EditRefusal, _ edit: TextEdit, _ bytes: [UInt8]) -> TextEditError {
    let text = try? LocatedText(reading: bytes, as: format, limits: limits)
    let place = refusal.offset.flatMap { text?.place(at: $0) } ?? text?.place(of: edit.path) ?? TextPlace(line: 1, column: 1)
    return TextEditError(
      reason: refusal.reason, path: edit.path.description, line: place.line, column: place.column, message: refusal.message)
  }
}
