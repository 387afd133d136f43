import Files
import Query
import Values

/// The items of each extension in a folder.
struct FolderFormats: Sendable, Hashable {
  private var files: [String: [RelativePath]] = [:]

  /// Divides the paths of items by their extensions.
  init(_ paths: some Sequence<RelativePath>) {
    for path in paths {
      let ending = PseudoField.split(path.name).ext
      if TextFormat(pathExtension: ending) != nil { files[ending, default: []].append(path) }
    }
  }

  /// Returns at most `count` items of a format, spread over their sorted paths.
  func sample(of format: TextFormat, _ count: Int) -> [RelativePath] {
    let all = format.pathExtensions.flatMap { files[$0] ?? [] }
    if all.count <= count { return all.sorted() }
    let sorted = all.sorted()
    return (0..<count).map { sorted[$0 * sorted.count / count] }
  }

  /// Returns the most frequent extension of a format, or of all formats. If several are equally
  /// frequent, the first in the order of `TextFormat` wins. Nil if there is none.
  func mostFrequent(of format: TextFormat?) -> String? {
    var best: (ending: String, count: Int)?
    for ending in (format.map { [$0] } ?? TextFormat.allCases).flatMap(\.pathExtensions) {
      guard let count = files[ending]?.count, count > best?.count ?? 0 else { continue }
      best = (ending, count)
    }
    return best?.ending
  }
}
