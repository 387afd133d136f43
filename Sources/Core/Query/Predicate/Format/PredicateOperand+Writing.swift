import Values

extension PredicateOperand {
  /// The operand as a predicate would write it. Ranges, maps and numbers that are not finite have
  /// no syntax; they are written for people.
  var written: String {
    switch self {
    case .value(let value): value.writtenInPredicate
    case .today(let offset): offset.description
    case .path(let path): path.writtenInPredicate
    case .element: "SELF"
    case .text(let path): (path.map { "\($0.writtenInPredicate)." } ?? "") + "@text"
    case .list(let elements): "{\(elements.map(\.written).joined(separator: ", "))}"
    case .range(let lower, let upper, let isClosed):
      "\(lower.written)\(isClosed ? "..." : "..<")\(upper.written)"
    }
  }
}

extension Value {
  fileprivate var writtenInPredicate: String {
    switch self {
    case .null: "NULL"
    case .bool(let flag): flag ? "TRUE" : "FALSE"
    case .number(.literal(let text)) where Number(json: text) == nil: Value.quoted(text)
    case .number(let number): number.description
    case .date(let date): date.writtenInPredicate
    case .string(let text): Value.quoted(text)
    case .list(let elements): "{\(elements.map(\.writtenInPredicate).joined(separator: ", "))}"
    case .map: text
    }
  }

  fileprivate static func quoted(_ text: String) -> String {
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted.append(contentsOf: ["\\", scalar])
      case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
      case "\r": quoted.append(contentsOf: "\\r".unicodeScalars)
      case "\t": quoted.append(contentsOf: "\\t".unicodeScalars)
      case _ where scalar.properties.generalCategory == .control:
        quoted.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: quoted.append(scalar)
      }
    }
    quoted.append("\"")
    return String(quoted)
  }
}

extension FieldPath {
  /// The path with keys in backquotes, except names that cannot be misread. A single word could be
  /// meant as a string, so it has backquotes.
  fileprivate var writtenInPredicate: String {
    let isPlain =
      steps.count > 1
      && steps.allSatisfy { step in
        guard case .key(let key) = step else { return true }
        return PredicateLexer.isName(key)
      }
    return isPlain || PseudoField(self) != nil ? FieldPath(steps: steps).description : quoted
  }
}

extension Timestamp {
  fileprivate var writtenInPredicate: String {
    // The text of a moment may have fewer digits than the moment.
    guard let read = Timestamp(text), (read.seconds, read.nanoseconds) == (seconds, nanoseconds) else {
      return Timestamp(exactly: seconds, nanoseconds: nanoseconds).text
    }
    return text.utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
      ? Value.quoted(text) : text
  }
}
