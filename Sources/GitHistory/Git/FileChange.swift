import DirectoryWatch

/// One file that is not in both of two trees as it is. A renamed file has two paths.
struct FileChange: Sendable, Hashable {
  let old: FileVersion?
  let new: FileVersion?

  init(old: FileVersion?, new: FileVersion?) {
    self.old = old
    self.new = new
  }

  /// What `git diff-tree -z --raw` prints of two trees: for each file `:100644 100644 3f2a… 77b0… M`, and its path, or both of a renamed one, each
  /// with a NUL.
  static func list(_ output: [UInt8], below folder: [UInt8]) -> [FileChange] {
    var words = output.split(separator: 0)[...]
    var list: [FileChange] = []
    while let line = words.popFirst(), let first = words.popFirst() {
      let isRename = line.split(separator: 0x20).last?.first == UInt8(ascii: "R")
      guard let second = isRename ? words.popFirst() : first else { break }
      let (old, new) = (changes(line, first, below: folder).first?.old, changes(line, second, below: folder).first?.new)
      if old != nil || new != nil { list.append(FileChange(old: old, new: new)) }
    }
    return list
  }

  /// What a line of `git log -c --raw` says of a file: a change for each parent. A side that is no file is nil; none where the line is damaged.
  static func changes(_ line: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>, below folder: [UInt8]) -> [FileChange] {
    let parents = line.prefix { $0 == UInt8(ascii: ":") }.count
    let words = line.dropFirst(parents).split(separator: 0x20)
    guard parents > 0, words.count == 2 * parents + 3 else { return [] }
    func version(_ index: Int) -> FileVersion? {
      guard words[index].starts(with: "100".utf8) else { return nil }
      let below = folder.isEmpty ? path : path.dropFirst(folder.count + 1)
      return FileVersion(path: RelativePath(bytes: below), object: String(decoding: words[parents + 1 + index], as: UTF8.self))
    }
    let new = version(parents)
    return (0..<parents).map { FileChange(old: version($0), new: new) }
  }

  /// Of the newer side, if it is there.
  var path: RelativePath? { (new ?? old)?.path }

  /// One file went and another came, both of the same item.
  func joined(with other: FileChange) -> FileChange { FileChange(old: old ?? other.old, new: new ?? other.new) }
}
