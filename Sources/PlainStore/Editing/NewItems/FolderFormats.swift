import DirectoryWatch
import PlainText
import Synchronization

/// The number of items with each extension in a folder.
struct FolderFormats: Sendable, Hashable {
  private var counts: [String: Int] = [:]

  /// Counts extensions.
  ///
  /// - Parameter pathExtensions: The extensions of the items, without the dot, in any order.
  init(_ pathExtensions: some Sequence<String>) {
    for ending in pathExtensions where TextFormat(pathExtension: ending) != nil { counts[ending, default: 0] += 1 }
  }

  /// Returns the most frequent extension of a format, or of all formats. If several are equally
  /// frequent, the first in the order of `TextFormat` wins. Nil if there is none.
  func mostFrequent(of format: TextFormat?) -> String? {
    var best: (ending: String, count: Int)?
    for ending in (format.map { [$0] } ?? TextFormat.allCases).flatMap(\.pathExtensions) {
      guard let count = counts[ending], count > best?.count ?? 0 else { continue }
      best = (ending, count)
    }
    return best?.ending
  }
}

/// The formats in the folders of an editor. With it, an editor that adds many items to a large
/// folder does not read the folder for each of them.
///
/// An entry is used for twenty times as long as it took to read the folder. For a small folder that
/// is a moment. In a large one, a few more items rarely change the most frequent format.
final class FolderFormatCache: Sendable {
  private struct Entry {
    let formats: FolderFormats
    let end: ContinuousClock.Instant
  }

  /// Guards only the entries; folders are read without the lock.
  private let entries = Mutex<[RelativePath: Entry]>([:])

  /// Returns the formats in a folder. Reads the folder if they are not known.
  ///
  /// - Parameter read: Reads the folder.
  func formats(of folder: RelativePath, reading read: () -> FolderFormats) -> FolderFormats {
    let start = ContinuousClock.now
    if let entry = entries.withLock({ $0[folder] }), start < entry.end { return entry.formats }
    let formats = read()
    let now = ContinuousClock.now
    entries.withLock { $0[folder] = Entry(formats: formats, end: now + (now - start) * 20) }
    return formats
  }
}
