import Values

/// Plans edits of a YAML, JSON or Markdown text.
struct EditPlanner {
  /// The levels of caution for writing, from the most readable to the safest.
  let cautions: [YAMLCaution]
  /// Returns candidates for an edit, the best one first. Each is a list of splices.
  let candidates: (TextEdit, YAMLCaution) throws(TextEditError) -> [[Splice]]
  private let places: EditPlaces

  /// Prepares for edits of a text.
  ///
  /// - Parameters:
  ///   - value: the value of the text.
  ///   - style: the style of new parts; nil for that of the text.
  init(_ text: LocatedText, reading value: Value, like style: TextStyle? = nil) {
    places = EditPlaces(text, reading: value)
    if text.format == .json {
      let editor = JSONEditor(text, places, like: style?.json)
      cautions = [.none]
      candidates = { (edit, _) throws(TextEditError) in [try editor.plan(edit)] }
    } else {
      cautions = YAMLCaution.allCases
      candidates = YAMLEditor(text, places, like: style?.yaml).plan
    }
  }

  /// Returns the bytes whose anchors an edit may affect.
  func range(touchedBy edit: TextEdit) -> Range<Int>? {
    (try? places.path(edit.path.keys))?.last.range(touchedBy: edit)
  }

  struct Plan {
    /// The splices in the order of the text.
    let splices: [Splice]
    /// The indices of removals that must be made later because their splices overlap with others.
    let later: Set<Int>
    /// The number of bytes that each edit adds.
    let growth: [Int]
  }

  /// Returns the plan of several edits. Nil if an edit cannot be made, or if edits other than
  /// removals overlap.
  func plan(_ edits: [TextEdit], _ caution: YAMLCaution) -> Plan? {
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

  /// Returns the order of the edits at one place of the text. If several elements are added with
  /// the same number, the last one comes first.
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

/// A replacement of a range of bytes.
struct Splice {
  let range: Range<Int>
  let bytes: [UInt8]

  init(_ range: Range<Int>, _ text: String) {
    self.range = range
    bytes = Array(text.utf8)
  }

  init(at offset: Int, _ text: String) { self.init(offset..<offset, text) }

  static func growth(of splices: [Splice]) -> Int {
    splices.reduce(0) { $0 + $1.bytes.count - $1.range.count }
  }

  /// Applies splices, which are in the order of the text and do not overlap. Insertions at one
  /// offset are made in their order. Linear.
  static func apply(_ splices: [Splice], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + max(0, growth(of: splices)))
    var position = 0
    for splice in splices {
      result.append(contentsOf: bytes[position..<splice.range.lowerBound])
      result.append(contentsOf: splice.bytes)
      position = splice.range.upperBound
    }
    result.append(contentsOf: bytes[position...])
    return result
  }
}
