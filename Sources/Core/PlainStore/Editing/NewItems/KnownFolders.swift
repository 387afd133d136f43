import Files
import Synchronization
import TextEdits
import Values

/// Everything an editor knows about its folders: those whose leftovers it has removed, and for new
/// items the formats and the styles of the texts. With it, an editor that adds many items to a large
/// folder does not read the folder for each of them.
///
/// An entry is used for twenty times as long as it took to read the folder. For a small folder,
/// that takes no time. In a large one, a few more items rarely change what most of them have.
final class KnownFolders: Sendable {
  private struct Entry<Content: Sendable> {
    let content: Content
    let end: ContinuousClock.Instant
  }

  /// The texts of one format in a folder.
  struct StyleKey: Hashable, Sendable {
    let folder: RelativePath
    let format: TextFormat
  }

  private struct Entries {
    var swept: Set<RelativePath> = []
    var formats: [RelativePath: Entry<FolderFormats>] = [:]
    var styles: [StyleKey: Entry<TextStyle?>] = [:]
  }

  /// Lock: guards which folders were swept, and the formats and styles of those that new items are
  /// planned for. Folders are read without it.
  private let entries = Mutex(Entries())

  /// Returns true if the leftovers of a folder are to be removed: the first time that it is asked.
  func sweeps(_ folder: RelativePath) -> Bool { entries.withLock { $0.swept.insert(folder).inserted } }

  /// Returns the formats in a folder. Reads the folder if they are not known.
  ///
  /// - Parameter read: Reads the folder.
  func formats(of folder: RelativePath, reading read: () -> FolderFormats) -> FolderFormats {
    value(of: folder, in: \.formats, reading: read)
  }

  /// Returns the style of the texts of a format in a folder. Reads texts if it is not known.
  func style(of key: StyleKey, reading read: () -> TextStyle?) -> TextStyle? {
    value(of: key, in: \.styles, reading: read)
  }

  private func value<Key: Hashable & Sendable, Content: Sendable>(
    of key: Key, in table: any WritableKeyPath<Entries, [Key: Entry<Content>]> & Sendable,
    reading read: () -> Content
  ) -> Content {
    let start = ContinuousClock.now
    if let entry = entries.withLock({ $0[keyPath: table][key] }), start < entry.end { return entry.content }
    let content = read()
    let now = ContinuousClock.now
    entries.withLock { $0[keyPath: table][key] = Entry(content: content, end: now + (now - start) * 20) }
    return content
  }
}
