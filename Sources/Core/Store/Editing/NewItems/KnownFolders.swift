import Synchronization

/// Everything an editor knows about its folders: those whose leftovers it has removed, and for new
/// items the formats and the styles of the texts, so that a large folder is not read for each item.
///
/// An entry is used for twenty times as long as it took to read the folder: in a small one no time,
/// and in a large one, a few more items rarely change what most of them have.
final class KnownFolders: Sendable {
  private struct Entry<Content: Sendable> {
    let content: Content
    let end: ContinuousClock.Instant
  }

  private struct StyleKey: Hashable {
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

  func formats(in folder: RelativePath, of locator: ItemLocator) -> FolderFormats {
    value(of: folder, in: \.formats) { locator.formats(in: folder, deep: false) }
  }

  /// Returns the style of most items of a format in the folder, the nearest one above it with any, or in all.
  func style(in folder: RelativePath, of format: TextFormat, _ locator: ItemLocator) -> TextStyle? {
    func style(_ formats: FolderFormats) -> TextStyle? {
      let paths = formats.sample(of: format, KnownFolders.maxTexts)
      return TextStyle(ofMost: paths.compactMap(locator.smallText), as: format)
    }
    return value(of: StyleKey(folder: folder, format: format), in: \.styles) {
      for folder in sequence(first: folder, next: \.parent) {
        if let style = style(formats(in: folder, of: locator)) { return style }
      }
      return style(locator.formats(in: .root, deep: true))
    }
  }

  private static let maxTexts = 50

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

extension ItemLocator {
  fileprivate func formats(in folder: RelativePath, deep: Bool) -> FolderFormats {
    let rules = rules
    let filter = WatchFilter(
      includesDirectory: { deep && rules.includesFolder($0) }, includesFile: { rules.format(of: $0) != nil })
    let entries = (try? DirectoryScan.scan(root: path.absolute, below: folder, filter: filter))?.entries ?? []
    return FolderFormats(entries.lazy.map(\.path))
  }

  fileprivate func smallText(_ path: RelativePath) -> [UInt8]? {
    do throws(Problem) {
      guard let file = try root.openFile(path), file.stamp.size <= 64 << 10 else { return nil }
      return try file.bytes(within: ReadLimits())
    } catch {
      return nil
    }
  }
}

struct FolderFormats {
  private var files: [String: [RelativePath]] = [:]

  init(_ paths: some Sequence<RelativePath>) {
    for path in paths {
      let ending = PseudoField.split(path.name).ext
      if TextFormat(pathExtension: ending) != nil { files[ending, default: []].append(path) }
    }
  }

  func sample(of format: TextFormat, _ count: Int) -> [RelativePath] {
    let all = format.pathExtensions.flatMap { files[$0] ?? [] }
    if all.count <= count { return all.sorted() }
    let sorted = all.sorted()
    return (0..<count).map { sorted[$0 * sorted.count / count] }
  }

  /// Returns the most frequent extension; of several, the first one in the order of `TextFormat`.
  func mostFrequent(of format: TextFormat?) -> String? {
    var best: (ending: String, count: Int)?
    for ending in (format.map { [$0] } ?? TextFormat.allCases).flatMap(\.pathExtensions) {
      guard let count = files[ending]?.count, count > best?.count ?? 0 else { continue }
      best = (ending, count)
    }
    return best?.ending
  }
}
