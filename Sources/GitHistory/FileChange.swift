import DirectoryWatch

/// One file that is not in both of two trees as it is. A renamed file has two paths.
struct FileChange: Sendable, Hashable {
  let old: FileVersion?
  let new: FileVersion?

  init(old: FileVersion?, new: FileVersion?) {
    self.old = old
    self.new = new
  }

  static func versions(in changes: [FileChange]) -> Set<FileVersion> { Set(changes.flatMap { [$0.old, $0.new].compactMap { $0 } }) }

  /// What `git diff-tree --stdin -z --raw` prints: for each pair of trees a line with both, then for each file `:100644 100644 3f2a… 77b0… M`, a
  /// NUL, and its path, or both of a renamed one, each with a NUL.
  static func lists(_ output: [UInt8], below folder: [UInt8]) -> [[FileChange]] {
    var lists: [[FileChange]] = []
    var start = 0
    func word(until end: UInt8) -> ArraySlice<UInt8>? {
      guard let stop = output[start...].firstIndex(of: end) else { return nil }
      defer { start = stop + 1 }
      return output[start..<stop]
    }
    while start < output.count {
      if output[start] != UInt8(ascii: ":") {
        if word(until: 0x0A) == nil { break }
        lists.append([])
        continue
      }
      guard let line = word(until: 0), let first = word(until: 0) else { break }
      let isRename = line.split(separator: 0x20).last?.first == UInt8(ascii: "R")
      guard let second = isRename ? word(until: 0) : first else { break }
      if let change = FileChange(line, first, second, below: folder), !lists.isEmpty { lists[lists.count - 1].append(change) }
    }
    return lists
  }

  /// Nil where neither is a file.
  private init?(_ line: ArraySlice<UInt8>, _ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>, below folder: [UInt8]) {
    let words = line.dropFirst().split(separator: 0x20)
    guard words.count == 5 else { return nil }
    func version(_ mode: Int, _ object: Int, _ path: ArraySlice<UInt8>) -> FileVersion? {
      guard words[mode].starts(with: "100".utf8) else { return nil }
      let below = folder.isEmpty ? path : path.dropFirst(folder.count + 1)
      return FileVersion(path: RelativePath(bytes: below), object: String(decoding: words[object], as: UTF8.self))
    }
    (old, new) = (version(0, 2, first), version(1, 3, second))
    if old == nil && new == nil { return nil }
  }

  /// One file went and another came, both of the same item.
  func joined(with other: FileChange) -> FileChange { FileChange(old: old ?? other.old, new: new ?? other.new) }
}
