/// Plans edits of a YAML, JSON or Markdown text.
struct EditPlanner {
  /// The levels of caution for writing, from the most readable to the safest.
  let cautions: [YAMLCaution]
  private let editor: FormatEditor

  private enum FormatEditor {
    case json(JSONEditor)
    case yaml(YAMLEditor)
  }

  init(_ text: LocatedText) {
    if text.format == .json {
      cautions = [.none]
      editor = .json(JSONEditor(text))
    } else {
      cautions = YAMLCaution.allCases
      editor = .yaml(YAMLEditor(text))
    }
  }

  /// Returns candidates for an edit, the best one first. Each is a list of splices.
  ///
  /// - Parameter value: the value of the text.
  func candidates(_ edit: TextEdit, reading value: Value, _ caution: YAMLCaution) throws(EditRefusal) -> [[Splice]] {
    switch editor {
    case .json(let editor): [try editor.plan(edit, reading: value)]
    case .yaml(let editor): try editor.plan(edit, reading: value, caution)
    }
  }

  /// Returns the splices of several edits, in the order of the text. Nil if one cannot be made or
  /// if two of them overlap.
  func splices(_ edits: [TextEdit], reading value: Value, _ caution: YAMLCaution) -> [Splice]? {
    var splices: [Splice] = []
    for edit in edits {
      guard let best = try? candidates(edit, reading: value, caution).first else { return nil }
      splices += best
    }
    let ordered = splices.enumerated().sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
      .map(\.element)
    let areApart = zip(ordered, ordered.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound }
    return areApart ? ordered : nil
  }
}
