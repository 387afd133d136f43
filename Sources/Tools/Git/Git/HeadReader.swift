import Files
import Glibc
import Synchronization
import Watch
import Processes

/// Reads the commit at HEAD from the files of a repository, without a process. An unchanged HEAD
/// costs a few calls of `stat`.
///
/// The commit is a hint: git may be moving HEAD at that moment. Repositories that keep their refs
/// in another format have none.
package final class HeadReader: Sendable {
  /// The files that were read, as they were before, nil for files that did not exist; and the commit.
  private typealias Reading = (stamps: [String: FileStamp?], commit: String?)

  /// The repository's folder for this work tree, with HEAD.
  private let folder: String
  /// The folder with the refs that all work trees share.
  private let common: String
  /// Lock: guards the commit at HEAD, and the stamps of the files it was read from. The files are
  /// read under it.
  private let cache = Mutex<Reading>(([:], nil))

  /// Finds the repository of a folder; nil if the folder is in no work tree.
  package convenience init?(above folder: String) {
    guard let path = realPath(folder), let git = GitFolder.find(above: path) else { return nil }
    self.init(repository: git.path)
  }

  init(repository folder: String) {
    self.folder = folder
    common =
      HeadReader.line(of: "\(folder)/commondir").map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" } ?? folder
  }

  /// Returns the commit at HEAD; nil if there is none yet, or if it cannot be read.
  package func commit() -> String? {
    cache.withLock { cache in
      let isFresh =
        !cache.stamps.isEmpty && cache.stamps.allSatisfy { HeadReader.stamp(of: $0.key) == $0.value }
      if !isFresh { cache = resolve() }
      return cache.commit
    }
  }

  /// A ref may point to another ref. More steps than this are a mistake or a cycle.
  private static let maxSteps = 5

  private func resolve() -> Reading {
    var cache: Reading = ([:], nil)
    var name = "HEAD"
    for _ in 0..<HeadReader.maxSteps {
      // The stamp is taken before the file is read. If the file changes meanwhile, the stamps differ
      // at the next call, and the file is read again.
      let file = path(of: name)
      cache.stamps[file] = HeadReader.stamp(of: file)
      guard let line = HeadReader.line(of: file) else {
        let packed = "\(common)/packed-refs"
        cache.stamps[packed] = HeadReader.stamp(of: packed)
        cache.commit = HeadReader.commit(of: name, inPackedRefs: packed)
        return cache
      }
      guard line.hasPrefix("ref: ") else {
        cache.commit = HeadReader.isCommit(line) ? line : nil
        return cache
      }
      name = String(line.dropFirst("ref: ".count))
      guard HeadReader.isRef(name) else { return cache }
    }
    return cache
  }

  private func path(of name: String) -> String {
    let isOwn =
      !name.hasPrefix("refs/")
      || ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].contains(where: name.hasPrefix)
    return "\(isOwn ? folder : common)/\(name)"
  }

  /// Returns true if the name is below `refs` and cannot leave that folder.
  private static func isRef(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1 && parts[0] == "refs" && !name.utf8.contains(0)
      && !parts.contains { ["", ".", ".."].contains($0) }
  }

  private static func isCommit(_ text: some StringProtocol) -> Bool {
    [40, 64].contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func stamp(of path: String) -> FileStamp? { try? FileStatus(in: AT_FDCWD, path).stamp }

  /// Returns the content of a short regular file without its line break; nil if there is none.
  private static func line(of path: String) -> String? {
    guard let file = regularFile(path) else { return nil }
    let bytes = file.prefix(4096)
    guard bytes.count < 4096 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  private static func commit(of name: String, inPackedRefs path: String) -> String? {
    guard let file = regularFile(path), let bytes = try? file.readAll(upTo: maxPackedRefs) else { return nil }
    // A line is `COMMIT NAME`.
    let end = Array(" \(name)".utf8)
    for line in bytes.split(separator: 0x0A)
    where line.count > end.count && line.suffix(end.count).elementsEqual(end) {
      let commit = String(decoding: line.dropLast(end.count), as: UTF8.self)
      if isCommit(commit) { return commit }
    }
    return nil
  }

  private static let maxPackedRefs = 1 << 27

  private static func regularFile(_ path: String) -> Descriptor? {
    guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK),
      let status = try? FileStatus(of: file.raw), status.isRegularFile
    else { return nil }
    return file
  }
}
