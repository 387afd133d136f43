/// The text of an item, read once, to be edited without touching a byte that need not change.
///
/// ```swift
/// let item = ItemText(Array("title: Notes  # mine\nrating: 5\n".utf8), as: .yaml)
/// let edited = try item.applying([.set("rating", 6)])
/// // title: Notes  # mine
/// // rating: 6
/// ```
///
/// New parts follow the style of the text: indentation, quotes, brackets or lines, line ends. A
/// string is written so that readers of YAML 1.1 and 1.2 both read it back. A date goes without
/// quotes only where a date of the same key already does.
public struct ItemText: Sendable, CustomStringConvertible {
  /// The text of the file.
  public let bytes: [UInt8]
  /// The format of the text.
  public let format: TextFormat
  /// The limits for reading the text.
  public let limits: ReadLimits
  private var style: TextStyle?
  package let fields: Result<PackedValue, TextError>
  package var values: Fields? { (try? fields.get())?.value.fields }

  /// Reads a text, and its edited versions within the same limits. One that cannot be read is a value too:
  /// editing it fails and says why. Linear.
  public init(_ bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits()) {
    self.bytes = bytes
    self.format = format
    self.limits = limits
    var reader = TextReader(limits: limits)
    fields = bytes.withRawBytes { raw in
      Result { () throws(TextError) in try reader.readItem(raw, as: format) }
    }
  }

  /// The text after an edit, which was read when the edit was verified.
  private init(_ bytes: [UInt8], reading map: PackedValue, after text: ItemText) {
    self.bytes = bytes
    format = text.format
    limits = text.limits
    style = text.style
    fields = .success(map)
  }

  /// The format and the size: `yaml, 42 bytes`.
  public var description: String { "\(format), \(bytes.count) bytes" }

  package func styled(like style: TextStyle?) -> ItemText {
    var text = self
    text.style = style
    return text
  }

  /// Returns the bytes of the text after these edits, made one after the other; none is made if one
  /// is refused.
  ///
  /// The result is read again and must hold the old values with exactly these changes. An edit that
  /// changes no value changes no byte. Linear in the text and the edits, if they are independent of
  /// each other. Each edit of a list that depends on an earlier one costs another pass.
  public func applying(_ edits: [TextEdit]) throws(TextEditError) -> [UInt8] { try edited(by: edits).bytes }

  package func edited(by edits: [TextEdit]) throws(TextEditError) -> ItemText {
    guard let first = edits.first else { return self }
    var state = State(text: self, value: try value(for: first))
    try checkFrontMatter(edits, of: state.value)
    var rest = edits[...]
    // After edits that can't be made together, fewer are tried, so that failures cost no more than
    // making the edits one by one.
    var maxCount = rest.count
    var failureCount = 0
    while let edit = rest.first {
      let chosen = maxCount > 1 ? IndependentEdits.choose(from: rest.prefix(maxCount), in: state.value) : []
      if chosen.count > 1 {
        let style = failureCount < ItemText.maxStyledFailures ? 1 : YAMLWriter.Caution.allCases.count
        // Without the edits that wait, nothing is known about the size after the edits one by one.
        let isComplete = chosen.count == chosen[chosen.count - 1] - rest.startIndex + 1
        if let (next, later) = try apply(
          chosen.map { rest[$0] }, to: state, maxCautions: style, refusingTooLarge: isComplete)
        {
          state = next
          let made = Set(chosen.enumerated().filter { !later.contains($0.offset) }.map(\.element))
          rest = rest.indices.filter { !made.contains($0) }.map { rest[$0] }[...]
          maxCount = min(max(maxCount, 2 * chosen.count), rest.count)
        } else {
          maxCount = chosen.count / 2
          failureCount += 1
        }
        continue
      }
      do {
        state = try apply(edit, to: state)
      } catch {
        throw located(error, edit, state.text.bytes)
      }
      rest = rest.dropFirst()
      maxCount = min(2 * maxCount + 1, rest.count)
    }
    return state.text
  }

  /// The number of failures up to which only those edits are written with more caution that need it.
  private static let maxStyledFailures = 64

  private struct State {
    var text: ItemText
    var value: Value
  }

  /// Makes independent edits in one pass; nil if that is not possible: made one by one, the edit that fails
  /// will say why. `later` has the indices of edits to be made afterwards. With `refusingTooLarge`, a result
  /// beyond the limit of a file is refused, as after many passes.
  private func apply(
    _ edits: [TextEdit], to state: State, maxCautions: Int, refusingTooLarge: Bool
  ) throws(TextEditError) -> (state: State, later: Set<Int>)? {
    guard edits.allSatisfy({ $0.path.keys.count <= limits.depth }) else { return nil }
    let edits = edits.map(\.asRead)
    let wanted = EditableValue(state.value)
    var changes: [Int] = []
    for (number, edit) in edits.enumerated() {
      guard let changesValue = try? wanted.apply(edit) else { return nil }
      if changesValue { changes.append(number) }
    }
    if changes.isEmpty { return (state, []) }
    guard let text = try? LocatedText(readable: state.text.bytes, as: state.text.format) else { return nil }
    let planner = EditPlanner(text, reading: state.value, like: state.text.style)
    for caution in planner.cautions.prefix(maxCautions) {
      guard let plan = planner.plan(changes.map { edits[$0] }, caution) else { continue }
      if refusingTooLarge, plan.later.isEmpty {
        try checkSize(of: state.text, changes.map { edits[$0] }, plan)
      }
      let later = Set(plan.later.map { changes[$0] })
      var value = wanted.value
      if !later.isEmpty {
        let made = EditableValue(state.value)
        for number in changes where !later.contains(number) { _ = try? made.apply(edits[number]) }
        value = made.value
      }
      var problem: TextError?
      if let text = verified(plan.splices, on: state.text, value, &problem) {
        return (State(text: text, value: value), later)
      }
    }
    return nil
  }

  private func apply(_ edit: TextEdit, to state: State) throws(TextEditError) -> State {
    guard edit.path.keys.count <= limits.depth else {
      throw TextEditError(
        .unwritable,
        "The path is deeper than \(limits.depth) levels, the limit for a file. Use a shorter path.")
    }
    let edit = edit.asRead
    let edited = EditableValue(state.value)
    guard try edited.apply(edit) else { return state }
    let wanted = edited.value
    guard let text = try? LocatedText(readable: state.text.bytes, as: state.text.format) else {
      throw TextEditError(
        .unreadable, "The text is UTF-16, which can be read but not edited. Save the file as UTF-8.")
    }
    let planner = EditPlanner(text, reading: state.value, like: state.text.style)
    var problem: TextError?
    var tooLarge: TextEditError?
    for caution in planner.cautions {
      for splices in try planner.candidates(edit, caution) {
        if let refusal = refusal(ofSize: state.text.bytes.count + Splice.growth(of: splices)) {
          tooLarge = refusal
          continue
        }
        if let text = verified(splices, on: state.text, wanted, &problem) {
          return State(text: text, value: wanted)
        }
      }
    }
    throw tooLarge ?? explain(edit, text, planner, problem)
  }

  /// Throws if the text would be larger than a file may be, naming the first edit with which it is.
  private func checkSize(of text: ItemText, _ edits: [TextEdit], _ plan: EditPlanner.Plan)
    throws(TextEditError)
  {
    guard let refusal = refusal(ofSize: text.bytes.count + Splice.growth(of: plan.splices)) else { return }
    var size = text.bytes.count
    let first = plan.growth.firstIndex { growth in
      size += growth
      return size > limits.maxSize
    }
    // No place: to find it, the large text would have to be read again.
    throw refusal.at(edits[first ?? edits.count - 1])
  }

  private func refusal(ofSize size: Int) -> TextEditError? {
    guard limits.sizeError(forFileOf: size) != nil else { return nil }
    return TextEditError(
      .unwritable,
      "The file would have \(size) bytes, and the limit is \(limits.maxSize). Write less, or split the item.")
  }

  private func verified(_ splices: [Splice], on text: ItemText, _ wanted: Value, _ problem: inout TextError?)
    -> ItemText?
  {
    let result = Splice.apply(splices, to: text.bytes)
    do {
      let read = try PackedValue(reading: result, as: format, limits: limits)
      guard read.isMap, read.value == wanted else { return nil }
      return ItemText(result, reading: read, after: text)
    } catch {
      problem = problem ?? error
      return nil
    }
  }

  private func explain(_ edit: TextEdit, _ text: LocatedText, _ planner: EditPlanner, _ problem: TextError?)
    -> TextEditError
  {
    if let range = planner.range(touchedBy: edit), let use = text.alias(reaching: range) {
      let place = text.place(at: use.range.lowerBound)
      return TextEditError(
        .anchor,
        "The alias *\(use.name) at line \(place.line), column \(place.column) refers to this value and would change with it. Set the value there first."
      )
    }
    let reason =
      problem.map { "the result would not be readable (\($0.message))" } ?? "other values would change, too"
    return TextEditError(
      .unverified,
      "This edit cannot be made without changing more of the text: \(reason). Edit the file by hand.")
  }

  /// The value to edit: a map, or null for a text in which nothing is written yet.
  private func value(for edit: TextEdit) throws(TextEditError) -> Value {
    if case .success(let map) = fields { return map.value }
    do {
      let value = try PackedValue(reading: bytes, as: format, limits: limits).value
      if case .map = value { return value }
      if value == .null, try LocatedText(reading: bytes, as: format, limits: limits).root?.isUnwritten ?? true
      {
        return value
      }
    } catch {
      let refusal = TextEditError(
        .unreadable, "The text cannot be edited, because it cannot be read. \(error.message)")
      throw refusal.at(edit, line: error.line, column: error.column)
    }
    throw TextEditError(.wrongKind, "The file does not contain a map. Write `key: value` lines.").at(edit)
  }

  private func checkFrontMatter(_ edits: [TextEdit], of value: Value) throws(TextEditError) {
    guard let found = ForeignFrontMatter(of: bytes, as: format) else { return }
    for edit in edits where (try? value.applying(edit.asRead)) != value {
      throw TextEditError(.foreignFrontMatter, found.sentence).at(edit)
    }
  }

  private func located(_ refusal: TextEditError, _ edit: TextEdit, _ bytes: [UInt8]) -> TextEditError {
    let text = try? LocatedText(reading: bytes, as: format, limits: limits)
    let place =
      refusal.offset.flatMap { text?.place(at: $0) } ?? text?.place(of: edit.path)
      ?? TextPlace(line: 1, column: 1)
    return refusal.at(edit, line: place.line, column: place.column)
  }
}

private struct EditPlanner {
  /// The levels of caution for writing, from the most readable to the safest.
  let cautions: [YAMLWriter.Caution]
  let candidates: (TextEdit, YAMLWriter.Caution) throws(TextEditError) -> [[Splice]]
  private let places: EditPath.Roots

  /// - Parameter style: the style of new parts; nil for that of the text.
  init(_ text: LocatedText, reading value: Value, like style: TextStyle? = nil) {
    places = EditPlace.places(of: text, reading: value)
    if text.format == .json {
      let editor = JSONEditor(text, places, like: style?.json)
      cautions = [.none]
      candidates = { (edit, _) throws(TextEditError) in [try editor.plan(edit)] }
    } else {
      cautions = YAMLWriter.Caution.allCases
      candidates = YAMLEditor(text, places, like: style?.yaml).plan
    }
  }

  func range(touchedBy edit: TextEdit) -> Range<Int>? {
    (try? EditPath(edit.path.keys, from: places))?.last.range(touchedBy: edit)
  }

  struct Plan {
    let splices: [Splice]
    /// The indices of removals that must be made later because their splices overlap with others.
    let later: Set<Int>
    let growth: [Int]
  }

  /// Returns one plan; nil if an edit cannot be made, or if others than removals overlap.
  func plan(_ edits: [TextEdit], _ caution: YAMLWriter.Caution) -> Plan? {
    var splices: [(edit: Int, splice: Splice)] = []
    var growth: [Int] = []
    for (number, edit) in edits.enumerated() {
      guard let best = try? candidates(edit, caution).first else { return nil }
      splices += best.map { (number, $0) }
      growth.append(Splice.growth(of: best))
    }
    let ranks = EditPlanner.ranks(edits)
    let ordered = splices.enumerated().sorted {
      ($0.element.splice.range.lowerBound, ranks[$0.element.edit], $0.offset)
        < ($1.element.splice.range.lowerBound, ranks[$1.element.edit], $1.offset)
    }
    .map(\.element)
    guard let later = EditPlanner.overlapping(ordered, edits) else { return nil }
    return Plan(
      splices: ordered.filter { !later.contains($0.edit) }.map(\.splice), later: later, growth: growth)
  }

  /// Returns the order at one place: of elements with the same number, the last one comes first.
  private static func ranks(_ edits: [TextEdit]) -> [Int] {
    var ranks = Array(edits.indices)
    var known: [FieldPath: [Int]] = [:]
    for (index, edit) in edits.enumerated() {
      if case .insert(let path, _) = edit { known[path, default: []].append(index) }
    }
    for indices in known.values where indices.count > 1 {
      for (index, rank) in zip(indices, indices.reversed()) { ranks[index] = rank }
    }
    return ranks
  }

  /// Returns the indices of removals without which no splices overlap; nil if there are none.
  private static func overlapping(_ ordered: [(edit: Int, splice: Splice)], _ edits: [TextEdit]) -> Set<Int>?
  {
    func isRemoval(_ number: Int) -> Bool { if case .remove = edits[number] { true } else { false } }
    var later: Set<Int> = []
    var kept: [(edit: Int, splice: Splice)] = []
    for next in ordered where !later.contains(next.edit) {
      while let last = kept.last, last.splice.range.upperBound > next.splice.range.lowerBound {
        if isRemoval(next.edit) {
          later.insert(next.edit)
          break
        }
        guard isRemoval(last.edit) else { return nil }
        later.insert(last.edit)
        kept.removeLast()
      }
      if !later.contains(next.edit) { kept.append(next) }
    }
    return later
  }
}
