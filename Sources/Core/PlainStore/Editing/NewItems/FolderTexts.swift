import Files
import Query
import TextEdits
import Values
import Watch

/// Reads what the items of a folder have in common, for new ones: their formats, and the style of
/// their texts.
struct FolderTexts {
  /// The number of texts that are read for a style, spread over the folder.
  private static let maxTexts = 50
  /// The size in bytes above which a text is left out.
  private static let maxSize = 64 << 10

  private let locator: ItemLocator
  private let cache: FolderFormatCache

  init(_ locator: ItemLocator, _ cache: FolderFormatCache) {
    (self.locator, self.cache) = (locator, cache)
  }

  /// Returns the formats of the items directly in a folder.
  func formats(in folder: RelativePath) -> FolderFormats {
    cache.formats(of: folder) { scan(folder, deep: false) }
  }

  /// Returns the style of most items of a format: of those in the folder, in the nearest folder above
  /// it that has some, or in all folders. Nil if there are none.
  func style(in folder: RelativePath, of format: TextFormat) -> TextStyle? {
    cache.style(of: FolderFormatCache.StyleKey(folder: folder, format: format)) {
      for folder in sequence(first: folder, next: \.parent) {
        let paths = formats(in: folder).sample(of: format, FolderTexts.maxTexts)
        if let style = TextStyle(ofMost: paths.compactMap(text), as: format) { return style }
      }
      return TextStyle(
        ofMost: scan(.root, deep: true).sample(of: format, FolderTexts.maxTexts).compactMap(text), as: format)
    }
  }

  private func scan(_ folder: RelativePath, deep: Bool) -> FolderFormats {
    let rules = locator.rules
    let filter = WatchFilter(
      includesDirectory: { deep && rules.includesFolder($0) }, includesFile: { rules.format(of: $0) != nil })
    let entries =
      (try? DirectoryScan.scan(root: locator.rootPath, below: folder, filter: filter))?.entries ?? []
    return FolderFormats(entries.lazy.map(\.path))
  }

  /// Returns the text of a file; nil if it is large or cannot be read.
  private func text(_ path: RelativePath) -> [UInt8]? {
    do throws(Problem) {
      guard let file = try locator.root.openFile(path), file.stamp.size <= FolderTexts.maxSize else {
        return nil
      }
      var buffer: [UInt8] = []
      let count = try file.read(into: &buffer, within: ReadLimits())
      return Array(buffer.prefix(count))
    } catch {
      return nil
    }
  }
}
