/// Plans edits of a YAML, JSON or Markdown text.
struct EditPlanner {
  /// The levels of caution for writing, from the most readable to the safest.
  let cautions: [YAMLCaution]
  private let editor: FormatEditor
  private let places: EditPlaces

  private enum FormatEditor {
    case json(JSONEditor)
    case yaml(YAMLEditor)
  }

  /// Prepares for edits of a text.
  ///
  /// - Parameters:
  ///   - value: the value of the text.
  ///   - style: the style of new parts; nil for that of the text.
  init(_ text: LocatedText, reading value: Value, like style: TextStyle? = nil) {
    places = EditPlaces(text, reading: value)
    if text.format == .json {
      cautions = [.none]
      editor = .json(JSONEditor(text, places, like: style?.json))
    } else {
      cautions = YAMLCaution.allCases
      editor = .yaml(YAMLEditor(text, places, like: style?.yaml))
    }
  }

  /// Returns the bytes whose anchors an edit may affect.
  func range(touchedBy edit: TextEdit) -> Range<Int>? {
    (try? places.path(edit.path.keys))?.last.range(touchedBy: edit)
  }

  /// Returns candidates for an edit, the best one first. Each is a list of splices.
  func candidates(_ edit: TextEdit, _ caution: YAMLCaution) throws(EditRefusal) -> [[Splice]] {
    switch editor {
    case .json(let editor): [try editor.plan(edit)]
    case .yaml(let editor): try editor.plan(edit, caution)
    }
  }

  /// Returns the splices of several edits, in the order of the text, and the indices of removals
  /// that must be made later because their splices overlap with others. Nil if an edit cannot be
  /// made, or if other edits overlap.
  func splices(_ edits: [TextEdit], _ caution: YAMLCaution) -> (splices: [Splice], later: Set<Int>)? {
    var splices: [(edit: Int, splice: Splice)] = []
    for (number, edit) in edits.enumerated() {
      guard let best = try? candidates(edit, caution).first else { return nil }
      splices += best.map { (number, $0) }
    }
    let ordered = splices.enumerated().sorted {
      ($0.element.splice.range.lowerBound, $0.offset) < ($1.element.splice.range.lowerBound, $1.offset)
    }
    .map(\.element)
    guard let later = EditPlanner.overlapping(ordered, edits) else { return nil }
    return (ordered.filter { !later.contains($0.edit) }.map(\.splice), later)
  }

  /// Returns the indices of removals without which no splices overlap; nil if there are none.
  private static func overlapping(_ ordered: [(edit: Int, splice: Splice)], _ edits: [TextEdit]) -> Set<Int>? {
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
