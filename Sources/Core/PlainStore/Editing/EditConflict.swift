import Values

/// The two texts of a conflict: what a change expected of a file, and what the file holds.
///
/// If the reading on which the change is based kept the text, both are complete texts of the file.
/// Otherwise only its values are known, and both are written from values: comments are not
/// compared.
public struct EditConflict: Sendable, Hashable, CustomStringConvertible {
  /// The text on which the change is based; nil if there should be no file.
  public let expected: [UInt8]?
  /// The text that was found; nil if there is no file.
  public let found: [UInt8]?

  /// The sizes of the texts.
  public var description: String {
    func size(_ text: [UInt8]?) -> String { text.map { "\($0.count) bytes" } ?? "no file" }
    return "expected \(size(expected)), found \(size(found))"
  }

  init(expected: [UInt8]?, found: [UInt8]?) {
    (self.expected, self.found) = (expected, found)
  }

  /// Creates the conflict of a change with the file that it meets.
  init(_ change: PendingChange, _ format: TextFormat, _ current: FileContent?, _ limits: ReadLimits) {
    guard let revision = change.revision, revision.bytes == nil, !change.lacksOriginal else {
      self.init(expected: change.revision?.bytes, found: current?.bytes)
      return
    }
    func text(_ fields: Fields?) -> [UInt8]? {
      fields.flatMap { try? NewItemText.text(of: $0, as: format, limits).bytes }
    }
    // A text that cannot be read as an item has no values to compare.
    let found = current.map { current in text((try? current.text.fields.get())?.value.fields) ?? current.bytes
    }
    self.init(expected: text(revision.fields.value.fields) ?? [], found: found)
  }
}
