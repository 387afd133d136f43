package import DirectoryWatch
import HashTreeCollections
import PlainText

/// The pages of one folder whose front matter is not read.
package struct FrontMatterWarning: Sendable, Hashable {
  /// The first of the pages, in the order of paths.
  package let path: RelativePath
  /// The number of pages.
  package let count: Int
  /// The kinds of front matter in these pages, each once: "TOML front matter".
  package let kinds: [String]

  /// The last bytes of the names of Markdown files, in lower and upper case.
  fileprivate static let lastBytes = Array("dDnN".utf8)

  /// Sentences for a person: what is not read, and what follows from that.
  package var message: String {
    let pages = count == 1 ? "This page has" : "This page and \(count - 1) more in its folder have"
    return
      "\(pages) \(kinds.joined(separator: " or ")). Only YAML between `---` lines at the top of a file is read. set, unset and edit refuse such pages."
  }
}

extension ItemStore {
  /// The warnings, one per folder, in the order of their paths. Linear in the number of items.
  package var frontMatterWarnings: [FrontMatterWarning] {
    var found: [RelativePath: [(path: RelativePath, kind: ForeignFrontMatter)]] = [:]
    for (_, item) in currentState.items {
      // Rejects most other files by one byte. The last byte of `md` is never printed as an escape.
      guard let last = item.path.description.utf8.last, FrontMatterWarning.lastBytes.contains(last),
        item.path.withUTF8(TextFormat.init(fileName:)) == .markdown, let kind = ForeignFrontMatter(of: item.fields)
      else { continue }
      found[item.path.parent ?? .root, default: []].append((item.path, kind))
    }
    let warnings = found.values.compactMap { pages -> FrontMatterWarning? in
      guard let first = pages.map(\.path).min() else { return nil }
      return FrontMatterWarning(path: first, count: pages.count, kinds: Set(pages.map(\.kind.phrase)).sorted())
    }
    return warnings.sorted { $0.path < $1.path }
  }
}
