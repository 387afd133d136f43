extension FieldPath {
  /// The path with all keys in backquotes, so that no other syntax can misread it.
  package var quoted: String { FieldPath.quotedText(of: steps) }

  /// Returns `a.b[0]` if the keys allow it; otherwise a JSON Pointer if all steps are keys;
  /// otherwise keys in backquotes.
  static func canonicalText(of steps: [Step]) -> String {
    if steps.indices.allSatisfy({ isBare(steps[$0], isFirst: $0 == 0, isOnly: steps.count == 1) }) {
      return text(of: steps) { $0 }
    }
    if steps.indices.allSatisfy({ isPointerKey(steps[$0], isFirst: $0 == 0) }) {
      return pointer(to: steps.map(\.token))
    }
    return quotedText(of: steps)
  }

  private static func quotedText(of steps: [Step]) -> String {
    text(of: steps) { key in
      var quoted = String.UnicodeScalarView("`".unicodeScalars)
      for scalar in key.unicodeScalars {
        if scalar == "`" { quoted.append(scalar) }
        quoted.append(scalar)
      }
      quoted.append("`")
      return String(quoted)
    }
  }

  private static func text(of steps: [Step], key: (String) -> String) -> String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .key(let name): text += (text.isEmpty ? "" : ".") + key(name)
      case .listOperator(let listOperator): text += (text.isEmpty ? "" : ".") + listOperator.rawValue
      case .index, .first, .last, .size: text += "[\(step.token)]"
      }
    }
  }

  /// Returns true if the step parses back to itself without backquotes.
  private static func isBare(_ step: Step, isFirst: Bool, isOnly: Bool) -> Bool {
    guard case .key(let key) = step else { return true }
    guard let start = key.utf8.first, start != UInt8(ascii: "`"), !(isFirst && start == UInt8(ascii: "/")),
      !key.utf8.contains(UInt8(ascii: ".")), isOnly || ListOperator(rawValue: key) == nil,
      isFirst || start != UInt8(ascii: "@")
    else { return false }
    guard key.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) else {
      return true
    }
    return (try? FieldPath(parsing: key))?.steps == [step]
  }

  /// Returns true if the step is a key whose JSON Pointer token parses back to it.
  private static func isPointerKey(_ step: Step, isFirst: Bool) -> Bool {
    guard case .key(let key) = step else { return false }
    return isFirst || (ListOperator(rawValue: key) == nil && Int(elementNumber: key) == nil)
  }
}
