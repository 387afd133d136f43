import Foundation

extension StreamReader {
  /// One update of the stream.
  package struct Step {
    package let origin: String
    package let changes: [Change]
  }

  package struct Place {
    package let section: ExactText
    package let index: Int
  }

  package struct Change {
    package let op: String
    package let id: ExactText
    package let from: Place?
    package let to: Place?
    package let fields: [String: Any]

    init(_ fields: [String: Any]) throws {
      guard let op = fields["op"] as? String, let id = fields["id"] as? String else {
        throw Violation(description: "not a change: \(fields)")
      }
      self.op = op
      self.id = ExactText(id)
      from = try Change.place(fields["from"])
      to = try Change.place(fields["to"])
      self.fields = fields
      let wanted = [
        "delete": (true, false), "insert": (false, true), "move": (true, true), "update": (true, true),
      ][op]
      guard let wanted, wanted == (from != nil, to != nil) else {
        throw Violation(description: "\(op) of \(id) has the wrong places")
      }
    }

    private static func place(_ object: Any?) throws -> Place? {
      guard let object else { return nil }
      guard let fields = object as? [String: Any], let section = fields["section"] as? String,
        let index = fields["index"] as? Int,
        index >= 0
      else {
        throw Violation(description: "not a place: \(object)")
      }
      return Place(section: ExactText(section), index: index)
    }
  }

  struct SectionChange {
    let op: String
    let id: ExactText
    let from: Int
    let to: Int

    init(_ fields: [String: Any]) throws {
      guard let op = fields["op"] as? String, let id = fields["id"] as? String else {
        throw Violation(description: "not a section change: \(fields)")
      }
      self.op = op
      self.id = ExactText(id)
      from = fields["from"] as? Int ?? -1
      to = fields["to"] as? Int ?? -1
    }
  }
}

extension StreamReader {
  /// Reads the lines of a file to which a sink appends, beginning at the last stream that does not
  /// continue an earlier one.
  ///
  /// - Throws: `Violation` if a line breaks a rule of the stream.
  package init(folding file: [UInt8]) throws {
    self.init()
    for line in file.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(#"{"v":1,"type":"hello""#), !text.contains(#""since""#) { self = StreamReader() }
      try apply(line)
    }
  }
}
