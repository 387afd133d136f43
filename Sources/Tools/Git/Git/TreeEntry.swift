package import Files

package struct TreeEntry: Hashable {
  package enum Kind: Hashable {
    case file
    case link
    case submodule
    case unmerged
  }

  /// The path below the repository's folder.
  package let path: RelativePath
  package let kind: Kind
  package let object: String
  /// True if git does not expect the file in the work tree (skip-worktree).
  var isSkipped = false
}

extension GitRepository {
  func entries(_ paths: [RelativePath], in revision: GitRevision) throws(GitError) -> [TreeEntry] {
    guard !paths.isEmpty, let tree = try tree(in: revision) else { return [] }
    return try list(tree, of: revision, [], paths.map(\.bytes)).compactMap { TreeEntry(treeLine: $0) }
  }

  /// Returns the files of the folder at a revision in git's order; nil if it does not exist there.
  func entries(in revision: GitRevision) throws(GitError) -> [TreeEntry]? {
    guard let tree = try tree(in: revision) else { return nil }
    return try list(tree, of: revision, ["-r"]).compactMap { TreeEntry(treeLine: $0) }
  }

  /// Returns the id of the folder's tree, or nil if there is no folder, or a submodule in its place.
  private func tree(in revision: GitRevision) throws(GitError) -> String? {
    if prefix.isEmpty { return revision.commit }
    let found = try list(revision.commit, of: revision, ["-d"], [prefix]).first.flatMap {
      TreeEntry(treeLine: $0)
    }
    return found.flatMap { $0.kind == .submodule ? nil : $0.object }
  }

  private func list(
    _ tree: String, of revision: GitRevision, _ options: [String], _ paths: [[UInt8]] = []
  ) throws(GitError) -> [ArraySlice<UInt8>] {
    let arguments = ["ls-tree", "-z", "--full-tree"] + options + [tree] + (paths.isEmpty ? [] : ["--"])
    return try git.output(arguments, paths: paths, to: "list the files of `\(revision.name)`").split(
      separator: 0)
  }

  /// Returns the versions that paths have at a commit, or all files of the folder if `paths` is
  /// empty. What is not a file there is left out.
  func files(_ paths: [RelativePath] = [], in commit: String) throws(GitError) -> [TreeEntry] {
    let folder = prefix.isEmpty ? [] : prefix + [UInt8(ascii: "/")]
    let listed = try git.output(
      ["ls-tree", "-r", "-z", "--full-tree", commit, "--"],
      paths: paths.isEmpty && !folder.isEmpty ? [folder] : paths.map { folder + $0.bytes },
      to: "list the files of the commit \(commit)")
    return listed.split(separator: 0).compactMap { line in
      guard let entry = TreeEntry(treeLine: line), entry.kind == .file else { return nil }
      return TreeEntry(
        path: RelativePath(bytes: entry.path.bytes.dropFirst(folder.count)), kind: .file, object: entry.object
      )
    }
  }

  func indexEntries() throws(GitError) -> [TreeEntry]? {
    let listed = try indexProcess().output(
      ["ls-files", "-t", "--stage", "-z"], to: "list the files of the index")
    let folder = missing.isEmpty ? [] : missing + [UInt8(ascii: "/")]
    var entries: [TreeEntry] = []
    for line in listed.split(separator: 0) {
      guard let entry = TreeEntry(indexLine: line, below: folder) else { continue }
      // A file in conflict has one line per version.
      if entry.kind == .unmerged, entries.last?.path == entry.path { continue }
      entries.append(entry)
    }
    return entries.isEmpty ? nil : entries
  }

  /// Returns the files of the folder that `git commit` would record now, or nil if there are none.
  /// Files that `git add -N` only announced are not among them.
  func stagedEntries() throws(GitError) -> [TreeEntry]? {
    let entries = try indexEntries() ?? []
    // An announced file has no content yet, so its object is the empty blob.
    guard entries.contains(where: { emptyBlobs.contains($0.object) }) else {
      return entries.isEmpty ? nil : entries
    }
    let tree = try git.output(
      ["hash-object", "-t", "tree", "--stdin"], to: "compute the id of the empty tree")
    let options = [
      "diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--ita-invisible-in-index",
      String(decoding: tree.prefix { $0 != 0x0A }, as: UTF8.self), "--",
    ]
    let listed = try indexProcess().output(
      options, paths: pathspecs([]), to: "list the files of the index")
    let known = Set(FileChange.list(listed, below: prefix).compactMap { $0.new?.path })
    let staged = entries.filter {
      !emptyBlobs.contains($0.object) || $0.kind != .file || known.contains($0.path)
    }
    return staged.isEmpty ? nil : staged
  }
}

/// The ids of the empty blob, in SHA-1 and in SHA-256 repositories.
private let emptyBlobs: Set<String> = [
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]

extension GitRepository {
  /// Returns a process that uses the index passed to a hook, if it belongs to this repository.
  private func indexProcess() throws(GitError) -> GitProcess {
    guard let index = GitProcess.indexOfEnvironment.map({ realPath($0) ?? $0 }), index.hasPrefix("/") else {
      return git
    }
    let found = try git.run(["rev-parse", "--absolute-git-dir"])
    let path = String(decoding: found.output.dropLast(), as: UTF8.self)
    let own = realPath(path) ?? path
    var process = git
    if found.status == 0, index.hasPrefix("\(own)/") { process.index = index }
    return process
  }
}

extension TreeEntry {
  /// Parses a line of `git ls-tree`: `100644 blob 3f2a…<TAB>path`.
  init?(treeLine line: ArraySlice<UInt8>) {
    guard let tab = line.firstIndex(of: 0x09) else { return nil }
    let words = line[..<tab].split(separator: 0x20)
    guard words.count == 3 else { return nil }
    self.init(
      path: RelativePath(bytes: line[(tab + 1)...]), kind: Kind(mode: words[0]),
      object: String(decoding: words[2], as: UTF8.self))
  }

  /// Parses a line of `git ls-files -t --stage`: `H 100644 3f2a… 0<TAB>path`. The 0 is the stage.
  /// The tag is S instead of H if the file is skipped.
  init?(indexLine line: ArraySlice<UInt8>, below folder: [UInt8]) {
    guard let tab = line.firstIndex(of: 0x09), line[(tab + 1)...].starts(with: folder) else { return nil }
    let words = line[..<tab].split(separator: 0x20)
    guard words.count == 4 else { return nil }
    self.init(
      path: RelativePath(bytes: line[(tab + 1)...].dropFirst(folder.count)),
      kind: words[3].elementsEqual("0".utf8) ? Kind(mode: words[1]) : .unmerged,
      object: String(decoding: words[2], as: UTF8.self),
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
