import DirectoryWatch
import PlainText

/// The merge driver and the diff driver of a data set, in the settings of its own repository: its `config`, and its `info/attributes`, which say
/// for which files they are. Neither is versioned, and all work trees of a repository share them.
package struct GitDrivers: Sendable {
  private let repository: GitRepository
  /// Where the attributes are.
  package let attributesPath: String

  package init(of folder: String) async throws(GitError) {
    repository = try await GitRepository(holding: folder)
    guard repository.missing.isEmpty else { throw GitError(.noRepository, "There is no folder \(folder).") }
    // What work trees share.
    let found = try await repository.git.run(["rev-parse", "--git-common-dir"])
    guard found.status == 0 else { throw found.failure("tell where its settings are") }
    let path = String(decoding: found.output.dropLast(), as: UTF8.self)
    attributesPath = WholeFile.realPath(path.hasPrefix("/") ? path : "\(folder)/\(path)") + "/info/attributes"
  }

  /// From the top of the repository, for a person; `.` for the top itself.
  package var folder: String { repository.prefix.isEmpty ? "." : String(decoding: repository.prefix, as: UTF8.self) }

  /// What `install` sets, and whether a value is one of its own.
  private static let settings: [(key: String, line: @Sendable (String) -> String, isOurs: @Sendable (String) -> Bool)] = [
    ("merge.notes-watch.driver", { DriverCommand.merge(program: $0).line }, { DriverCommand(mergeLine: $0) != nil }),
    ("diff.notes-watch.textconv", { DriverCommand.diff(program: $0).line }, { DriverCommand(diffLine: $0) != nil }),
    ("merge.notes-watch.name", { _ in name }, { $0 == name }),
  ]
  private static let name = "notes-watch: by field"

  /// Sets both up; once more changes nothing, or only the program.
  ///
  /// - Parameter program: the absolute path of this one.
  package func install(_ program: String) async throws(GitError) {
    for (key, line, isOurs) in GitDrivers.settings {
      guard let value = try await self.value(of: key, scope: ["--local"]) else { continue }
      if isOurs(value) || line(program) == value { continue }
      throw GitError(
        .failed, "`\(key)` is set by somebody else: \(value). `git config --unset-all \(key)` takes that away; then install again.")
    }
    for (key, line, _) in GitDrivers.settings { try await set(key, line(program)) }
    try changeAttributes { $0.add(repository.prefix) }
  }

  /// Takes away what `install` did for this folder, and the drivers with the last one. Nothing where nothing is there.
  package func uninstall() async throws(GitError) {
    try changeAttributes { $0.remove(repository.prefix) }
    if try attributes().hasBlocks { return }
    for (key, _, isOurs) in GitDrivers.settings {
      guard let value = try await value(of: key, scope: ["--local"]), isOurs(value) else { continue }
      let removed = try await repository.git.run(["config", "--local", "--unset-all", key])
      guard removed.status == 0 else { throw GitDrivers.cannotWrite(removed) }
    }
  }

  private func set(_ key: String, _ value: String) async throws(GitError) {
    if try await self.value(of: key, scope: ["--local"]) == value { return }
    let written = try await repository.git.run(["config", "--local", "--replace-all", key, value])
    guard written.status == 0 else { throw GitDrivers.cannotWrite(written) }
  }

  private static func cannotWrite(_ outcome: GitProcess.Outcome) -> GitError {
    GitError(.failed, "git could not write the repository's settings: \(outcome.message).")
  }

  /// Nil where it is not set.
  func value(of key: String, scope: [String] = []) async throws(GitError) -> String? {
    let found = try await repository.git.run(["config", "-z"] + scope + ["--get", key])
    return found.status == 0 ? String(decoding: found.output.prefix { $0 != 0 }, as: UTF8.self) : nil
  }

  func attributes() throws(GitError) -> AttributesFile { AttributesFile(try WholeFile.readIfThere(attributesPath) ?? []) }

  private func changeAttributes(_ change: (inout AttributesFile) -> Void) throws(GitError) {
    let old = try attributes()
    var new = old
    change(&new)
    if new == old { return }
    if new.bytes.isEmpty { return try WholeFile.remove(attributesPath) }
    if let slash = attributesPath.lastIndex(of: "/") { try WholeFile.makeFolder(String(attributesPath[..<slash])) }
    try WholeFile.replace(attributesPath, with: new.bytes)
  }
}

// MARK: Status

extension GitDrivers {
  package struct Status: Sendable, Hashable {
    /// The program that git runs for each; nil where none is set up.
    package let mergeProgram: String?
    package let diffProgram: String?
    package let hasAttributes: Bool
    /// Of how many files of the index the drivers hold.
    package let handled: Int
    /// What keeps the drivers from running, as sentences; none where all is well.
    package let warnings: [String]
  }

  package func status() async throws(GitError) -> Status {
    let lines = (merge: try await value(of: "merge.notes-watch.driver"), diff: try await value(of: "diff.notes-watch.textconv"))
    let merge = lines.merge.flatMap { DriverCommand(mergeLine: $0) }
    let diff = lines.diff.flatMap { DriverCommand(diffLine: $0) }
    let hasAttributes = try attributes().has(repository.prefix)
    let files = try await attributedFiles()
    let overridden = files.filter { !$0.isOurs }.map(\.path)
    var warnings: [String] = []
    for (name, line, command) in [("merge", lines.merge, merge), ("diff", lines.diff, diff)] {
      if line == nil { warnings.append("No \(name) driver is set up in this clone: git goes by lines.") }
      if line != nil, command == nil {
        warnings.append("The \(name) driver was set up by another version of this program, or by somebody else.")
      }
      if let command, !WholeFile.isProgram(command.program) {
        warnings.append("The \(name) driver's program is gone or cannot be run, so git goes by lines: \(command.program)")
      }
    }
    if !hasAttributes { warnings.append("No attributes name the items of this folder, so git runs no driver for them.") }
    if hasAttributes, let first = overridden.first {
      warnings.append("Other attributes hold for \(overridden.count) of \(files.count) items, \(first) for one.")
    }
    return Status(
      mergeProgram: merge?.program, diffProgram: diff?.program, hasAttributes: hasAttributes, handled: files.count - overridden.count,
      warnings: warnings)
  }

  /// What git's own look at the attributes says of every item of the index.
  private func attributedFiles() async throws(GitError) -> [(path: String, isOurs: Bool)] {
    let entries = repository.hasWorkTree ? try await repository.indexEntries() ?? [] : []
    let paths = entries.filter { $0.kind == .file && TextFormat(pathExtension: $0.path.description.fileExtension) != nil }.map(\.path)
    if paths.isEmpty { return [] }
    let input = Array(paths.map { $0.bytes + [0] }.joined())
    let found = try await repository.git.run(["check-attr", "--stdin", "-z", "merge", "diff"], input: input)
    guard found.status == 0 else { throw found.failure("look at the attributes") }
    let words = found.output.split(separator: 0, omittingEmptySubsequences: false)
    // For each path and attribute: the path, the attribute, its value.
    return paths.enumerated().map { index, path in
      let values = [6 * index + 2, 6 * index + 5].map { words.indices.contains($0) ? words[$0] : [] }
      return (path.description, values.allSatisfy { $0.elementsEqual("notes-watch".utf8) })
    }
  }
}
