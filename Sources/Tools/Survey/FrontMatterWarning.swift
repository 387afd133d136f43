package import Store

/// The pages of one folder whose front matter is not read.
package struct FrontMatterWarning: Hashable {
  /// The first of the pages, in the order of paths.
  package let path: RelativePath
  package let count: Int
  /// The kinds of front matter in these pages, each once: "TOML front matter".
  package let kinds: [String]

  fileprivate static let itemsAtOnce = 16_384

  /// Sentences for a person: what is not read, and what follows from that.
  package var message: String {
    let pages = count == 1 ? "This page has" : "This page and \(count - 1) more in its folder have"
    return
      "\(pages) \(kinds.joined(separator: " or ")). Only YAML between `---` lines at the top of a file "
      + "is read. set, unset and edit refuse such pages."
  }
}

extension ItemStore {
  /// The warnings, one per folder, in the order of their paths. Linear in the number of items.
  package var frontMatterWarnings: [FrontMatterWarning] { currentState.frontMatterWarnings }
}

extension StoreState {
  package var frontMatterWarnings: [FrontMatterWarning] {
    var found: [RelativePath: [(path: RelativePath, kind: ForeignFrontMatter)]] = [:]
    let items = items.entries.items
    let pages = ParallelWork.map(items.count, by: FrontMatterWarning.itemsAtOnce) { range in
      range.compactMap { number in
        ForeignFrontMatter(ofPage: items[number]).map { (path: items[number].path, kind: $0) }
      }
    }
    for page in pages.joined() { found[page.path.parent ?? .root, default: []].append(page) }
    let warnings = found.values.compactMap { pages -> FrontMatterWarning? in
      guard let first = pages.map(\.path).min() else { return nil }
      return FrontMatterWarning(
        path: first, count: pages.count, kinds: Set(pages.map(\.kind.phrase)).sorted())
    }
    return warnings.sorted { $0.path < $1.path }
  }
}

extension ForeignFrontMatter {
  fileprivate init?(ofPage item: Item) {
    // Most items are not Markdown, whose extensions end with `d` or `n`.
    let isPage = item.path.withUTF8 { path in
      guard let last = path.last, last | 0x20 == UInt8(ascii: "d") || last | 0x20 == UInt8(ascii: "n") else {
        return false
      }
      return TextFormat(fileName: path) == .markdown
    }
    guard isPage else { return nil }
    self.init(of: item.fields)
  }
}
