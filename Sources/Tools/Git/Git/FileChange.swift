import Files

/// A file that differs between two trees. A renamed file has two paths.
struct FileChange {
  let old: TreeEntry?
  let new: TreeEntry?

  /// Parses the output of `git diff-tree -z --raw` for two trees: for each file
  /// `:100644 100644 3f2a… 77b0… M` and its path, each followed by a NUL. A renamed file has both
  /// paths.
  static func list(_ output: [UInt8], below folder: [UInt8]) -> [FileChange] {
    var words = output.split(separator: 0)[...]
    var list: [FileChange] = []
    while let line = words.popFirst(), let first = words.popFirst() {
      let isRename = line.split(separator: 0x20).last?.first == UInt8(ascii: "R")
      guard let second = isRename ? words.popFirst() : first else { break }
      let old = changes(line, first, below: folder).first?.old
      let new = changes(line, second, below: folder).first?.new
      if old != nil || new != nil { list.append(FileChange(old: old, new: new)) }
    }
    return list
  }

  /// Parses one line of `git log -c --raw` and returns one change per parent, or nothing if the
  /// line is malformed. A side that is not a regular file is nil.
  static func changes(_ line: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>, below folder: [UInt8])
    -> [FileChange]
  {
    let parents = line.prefix { $0 == UInt8(ascii: ":") }.count
    let words = line.dropFirst(parents).split(separator: 0x20)
    guard parents > 0, words.count == 2 * parents + 3 else { return [] }
    func version(_ index: Int) -> TreeEntry? {
      guard words[index].starts(with: "100".utf8) else { return nil }
      let below = folder.isEmpty ? path : path.dropFirst(folder.count + 1)
      return TreeEntry(
        path: RelativePath(bytes: below), kind: .file,
        object: String(decoding: words[parents + 1 + index], as: UTF8.self))
    }
    let new = version(parents)
    return (0..<parents).map { FileChange(old: version($0), new: new) }
  }

  /// The path on the newer side, or on the older one if the file was deleted.
  var path: RelativePath? { (new ?? old)?.path }

  /// Combines the deletion of one file of an item and the addition of another into one change.
  func joined(with other: FileChange) -> FileChange {
    FileChange(old: old ?? other.old, new: new ?? other.new)
  }
}
