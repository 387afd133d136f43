package import DirectoryWatch
import LinuxFiles
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
  /// True if git does not look for the file in the work tree.
  package var isSkipped = false
}

extension GitRepository {
  /// Those of some paths of the folder that are files at a revision.
  func entries(_ paths: [RelativePath], in revision: GitRevision) async throws(GitError) -> [TreeEntry] {
    guard !paths.isEmpty, let tree = try await tree(in: revision) else { return [] }
    return try await list(tree, of: revision, [], paths.map(\.bytes)).compactMap { TreeEntry(treeLine: $0) }
  }

  /// The files of the folder at a revision, in the order of git's. Nil where there is no such folder.
  func entries(in revision: GitRevision) async throws(GitError) -> [TreeEntry]? {
    guard let tree = try await tree(in: revision) else { return nil }
    return try await list(tree, of: revision, ["-r"]).compactMap { TreeEntry(treeLine: $0) }
  }

  /// What stands for the folder's tree; nil where there is no such folder, or another repository in its place.
  private func tree(in revision: GitRevision) async throws(GitError) -> String? {
    if prefix.isEmpty { return revision.commit }
    let found = try await list(revision.commit, of: revision, ["-d"], [prefix]).first.flatMap { TreeEntry(treeLine: $0) }
    return found.flatMap { $0.kind == .submodule ? nil : $0.object }
  }

  private func list(
    _ tree: String, of revision: GitRevision, _ options: [String], _ paths: [[UInt8]] = []
  ) async throws(GitError) -> [ArraySlice<UInt8>] {
    let arguments = (["ls-tree", "-z", "--full-tree"] + options + [tree]).map { Array($0.utf8) }
    let listed = try git.run(arguments + (paths.isEmpty ? [] : [Array("--".utf8)] + paths))
    guard listed.status == 0 else { throw listed.failure("list the files of `\(revision.name)`") }
    return listed.output.split(separator: 0)
  }

  /// The files of the folder in the index. Nil where it has none.
  func indexEntries() async throws(GitError) -> [TreeEntry]? {
    let git = try indexProcess()
    let listed = try git.run(["ls-files", "-t", "--stage", "-z"])
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

  /// The files of the folder in the index as a commit would have them: without those of which `git add -N` only announced that they will be added.
  /// Nil where there are none.
  func stagedEntries() async throws(GitError) -> [TreeEntry]? {
    let entries = try await indexEntries() ?? []
    // What is announced has no content yet.
    guard entries.contains(where: { emptyBlobs.contains($0.object) }) else { return entries.isEmpty ? nil : entries }
    let tree = try git.run(["hash-object", "-t", "tree", "--stdin"])
    guard tree.status == 0 else { throw tree.failure("name the empty tree") }
    let options = [
      "diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--ita-invisible-in-index",
      String(decoding: tree.output.prefix { $0 != 0x0A }, as: UTF8.self), "--",
    ]
    let listed = try indexProcess().run(options.map { Array($0.utf8) } + pathspecs([]))
    guard listed.status == 0 else { throw listed.failure("list the files of the index") }
    let known = Set(FileChange.list(listed.output, below: prefix).compactMap { $0.new?.path })
    let staged = entries.filter { !emptyBlobs.contains($0.object) || $0.kind != .file || known.contains($0.path) }
    return staged.isEmpty ? nil : staged
  }
}

/// In repositories with SHA-1 and with SHA-256.
private let emptyBlobs: Set<String> = [
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]

extension GitRepository {
  /// With the index that a hook is handed, where it is one of this repository.
  private func indexProcess() throws(GitError) -> GitProcess {
    guard let index = GitProcess.indexOfEnvironment.map({ realPath($0) ?? $0 }), index.hasPrefix("/") else { return git }
    let found = try git.run(["rev-parse", "--absolute-git-dir"])
    let path = String(decoding: found.output.dropLast(), as: UTF8.self)
    let own = realPath(path) ?? path
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

  /// `H 100644 3f2a… 0<TAB>path`, where 0 is the stage, and S in the place of H says that the file is skipped.
  init?(indexLine line: ArraySlice<UInt8>, below folder: [UInt8]) {
    guard let tab = line.firstIndex(of: 0x09), line[(tab + 1)...].starts(with: folder) else { return nil }
    let words = line[..<tab].split(separator: 0x20)
    guard words.count == 4 else { return nil }
    self.init(
      path: RelativePath(bytes: line[(tab + 1)...].dropFirst(folder.count)),
      kind: words[3].elementsEqual("0".utf8) ? Kind(mode: words[1]) : .unmerged, object: String(decoding: words[2], as: UTF8.self),
      isSkipped: words[0].elementsEqual("S".utf8))
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
