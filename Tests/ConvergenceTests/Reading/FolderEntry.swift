import Foundation
import TestSupport

/// A valid file, as the harness reads it.
struct FolderEntry {
  /// The id and the path, as the program prints them.
  let id: ExactText
  let path: ExactText
  /// The path in the file system.
  let file: ExactText
  let fields: [String: NSObject]

  var rating: Int? { (fields["rating"] as? NSNumber)?.intValue }

  var folder: ExactText { ExactText(path.bytes[..<(path.bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)]) }

  func text(_ field: String) -> ExactText { ExactText(fields[field] as? String ?? "") }

  func contains(_ word: String) -> Bool {
    let texts =
      [id.description] + fields.values.compactMap { $0 as? String ?? ($0 as? NSNumber)?.stringValue }
    return texts.contains { $0.lowercased().contains(word) }
  }
}

extension ExactText {
  /// Returns the printed form of a path. Percent signs, control characters and bytes that are not
  /// UTF-8 become `%XX`.
  static func printing(_ bytes: [UInt8]) -> ExactText {
    var text: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first {
      let length =
        first < 0x80
        ? 1
        : (2...4).first { String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.count == 1 } ?? 0
      if length > 1 || (length == 1 && first >= 0x20 && first != 0x7F && first != UInt8(ascii: "%")) {
        text += rest.prefix(length)
      } else {
        text += Array("%\(first < 16 ? "0" : "")\(String(first, radix: 16, uppercase: true))".utf8)
      }
      rest = rest.dropFirst(max(length, 1))
    }
    return ExactText(text)
  }
}
