/// The repository that a folder is in, to be read. The folder need not be there any more, and the repository may be bare.
///
/// ```swift
/// let repository = try await GitRepository(holding: "contacts")
/// let revision = try await repository.revision("HEAD~3")
/// let entries = try await repository.entries(in: revision)
/// ```
package struct GitRepository: Sendable {
  let git: GitProcess
  /// From the top of the repository to the folder, without a slash at either end.
  let prefix: [UInt8]
  /// The part of it that is not there.
  let missing: [UInt8]
  let hasWorkTree: Bool

  package init(holding folder: String) async throws(GitError) {
    let place = try FolderPlace(folder)
    git = GitProcess(folder: place.existing)
    missing = place.missing
    let found = try await git.run(["rev-parse", "--is-inside-work-tree", "--show-prefix"])
    guard found.status == 0, let end = found.output.firstIndex(of: 0x0A) else {
      if found.message.contains("not a git repository") { throw GitError(.noRepository, "\(folder) is in no git repository.") }
      throw found.failure("look for the repository of \(folder)")
    }
    hasWorkTree = found.output[..<end].elementsEqual("true".utf8)
    // It ends with a slash, where it is not empty, and a line break.
    let parts = [Array(found.output[(end + 1)...].dropLast(1)), missing].map { $0.last == UInt8(ascii: "/") ? $0.dropLast() : $0[...] }
    prefix = Array(parts.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "/")]))
  }
}

/// A path, and how much of it is there.
private struct FolderPlace {
  var existing: String
  var missing: [UInt8] = []

  init(_ folder: String) throws(GitError) {
    existing = folder.isEmpty ? "." : folder
    var names: [Substring] = []
    while !WholeFile.isFolder(existing) {
      let text = existing.hasSuffix("/") ? existing.dropLast() : existing[...]
      let slash = text.lastIndex(of: "/")
      let name = slash.map { text[text.index(after: $0)...] } ?? text
      if name == ".." { throw GitError(.noRepository, "There is no folder \(folder).") }
      if !name.isEmpty, name != "." { names.append(name) }
      existing = slash.map { $0 == text.startIndex ? "/" : String(text[..<$0]) } ?? "."
    }
    missing = Array(names.reversed().joined(separator: "/").utf8)
  }
}
