import PlainStore
import Sinks

/// The differences that caused changes to be refused.
enum RefusedChanges {
  /// The largest texts that are compared, in bytes, of all items together.
  private static let maxSize = 4 << 20

  /// Returns the reason of a refusal as the rest of a sentence. The advice of a conflict is about
  /// commands; a screen shows the difference in its place.
  static func sentence(_ error: EditError) -> String {
    guard error.code == .conflict, let conflict = error.conflict, conflict.expected != nil,
      let path = error.path
    else { return "\(error)" }
    return "\(path): It was \(conflict.found == nil ? "deleted" : "changed") in the meantime."
  }

  /// Returns the differences from what was expected to what was found, as unified diffs; nil if
  /// there are none.
  static func difference(of errors: [EditError]) -> [UInt8]? {
    var size = 0
    var text: [UInt8] = []
    for error in errors {
      guard let conflict = error.conflict else { continue }
      size += (conflict.expected?.count ?? 0) + (conflict.found?.count ?? 0)
      if size > maxSize { break }
      let path = error.path?.bytes ?? Array(error.id.description.utf8)
      text += UnifiedDiff(of: path, from: conflict.expected, to: conflict.found).bytes
    }
    return text.isEmpty ? nil : text
  }
}
