import DirectoryWatch
import PlainText

/// One file of a revision or of the index.
package struct TreeEntry: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case file
    case link
    /// Another repository's commit.
    case submodule
    /// Several versions, between which nobody has decided yet.
    case unmerged
  }

  /// Below the folder that is looked at.
  package let path: RelativePath
  package let kind: Kind
  /// The object's id.
  package let object: String
}

extension GitRepository {
  /// The files of the folder at a revision, in the order of git's. Nil where there is no such folder.
  func entries(in revision: GitRevision) async throws(GitError) -> [TreeEntry]? {
    guard let tree = try await tree(in: revision) else { return nil }
    return try await list(tree, of: revision, ["-r"]).compactMap { TreeEntry(treeLine: $0) }
  }

  /// What stands for the folder's tree; nil where there is no such folder, or another repository in its place.
  private func tree(in revision: GitRevision) async throws(GitError) -> String? {
    if prefix.isEmpty { return revision.commit }
    let found = try await list(revision.commit, of: revision, ["-d"], prefix).first.flatMap { TreeEntry(treeLine: $0) }
    return found.flatMap { $0.kind == .submodule ? nil : $0.object }
  }

  private func list(
    _ tree: String, of revision: GitRevision, _ options: [String], _ path: [UInt8]? = nil
  ) async throws(GitError) -> [ArraySlice<UInt8>] {
    let arguments = (["ls-tree", "-z", "--full-tree"] + options + [tree]).map { Array($0.utf8) }
    let listed = try await git.run(arguments + (path.map { [Array("--".utf8), $0] } ?? []))
    guard listed.status == 0 else { throw listed.failure("list the files of `\(revision.name)`") }
    return listed.output.split(separator: 0)
  }

  /// The files of the folder in the index. Nil where it has none.
  func indexEntries() async throws(GitError) -> [TreeEntry]? {
    let listed = try await indexProcess().run(["ls-files", "--stage", "-z"])
    guard listed.status == 0 else { throw listed.failure("list the files of the index") }
    let folder = missing.isEmpty ? [] : missing + [UInt8(ascii: "/")]
    var entries: [TreeEntry] = []
    for line in listed.output.split(separator: 0) {
      guard let entry = TreeEntry(indexLine: line, below: folder) else { continue }
      // Of a file with several versions each has a line.
      if entry.kind == .unmerged, entries.last?.path == entry.path { continue }
      entries.append(entry)
    }
    return entries.isEmpty ? nil : entries
  }
}

extension GitRepository {
  /// With the index that a hook is handed, where it is one of this repository.
  private func indexProcess() async throws(GitError) -> GitProcess {
    guard let index = GitProcess.indexOfEnvironment.map(WholeFile.realPath), index.hasPrefix("/") else { return git }
    let found = try await git.run(["rev-parse", "--absolute-git-dir"])
    let own = WholeFile.realPath(String(decoding: found.output.dropLast(), as: UTF8.self))
    var process = git
    if found.status == 0, index.hasPrefix("\(own)/") { process.index = index }
    return process
  }
}

extension TreeEntry {
  /// `100644 blob 3f2a…<TAB>path`
  init?(treeLine line: ArraySlice<UInt8>) {
    guard let tab = line.firstIndex(of: 0x09) else { return nil }
    let words = line[..<tab].split(separator: 0x20)
    guard words.count == 3 else { return nil }
    self.init(path: RelativePath(bytes: line[(tab + 1)...]), kind: Kind(mode: words[0]), object: String(decoding: words[2], as: UTF8.self))
  }

  /// `100644 3f2a… 0<TAB>path`, where 0 is the stage.
  init?(indexLine line: ArraySlice<UInt8>, below folder: [UInt8]) {
    guard let tab = line.firstIndex(of: 0x09), line[(tab + 1)...].starts(with: folder) else { return nil }
    let words = line[..<tab].split(separator: 0x20)
    guard words.count == 3 else { return nil }
    self.init(
      path: RelativePath(bytes: line[(tab + 1)...].dropFirst(folder.count)),
      kind: words[2].elementsEqual("0".utf8) ? Kind(mode: words[0]) : .unmerged, object: String(decoding: words[1], as: UTF8.self))
  }
}

extension TreeEntry.Kind {
  init(mode: ArraySlice<UInt8>) {
    switch String(decoding: mode, as: UTF8.self) {
    case "120000": self = .link
    case "160000": self = .submodule
    default: self = .file
    }
  }
}
