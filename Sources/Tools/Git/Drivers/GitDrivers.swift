import Files
import Values

/// The merge driver and the diff drivers of a data set, as set up in its repository.
///
/// The drivers are defined in the repository's `config`, and assigned to files in its
/// `info/attributes`. Neither is versioned; all work trees of the repository share them.
package struct GitDrivers {
  private let repository: GitRepository
  package let attributesPath: String

  /// Finds the repository of a folder, which must exist.
  package init(of folder: String) throws(GitError) {
    repository = try GitRepository(holding: folder)
    guard repository.missing.isEmpty else { throw GitError(.noRepository, "There is no folder `\(folder)`.") }
    // The directory that all work trees of the repository share.
    let found = try repository.git.output(
      ["rev-parse", "--git-common-dir"], to: "find the settings of the repository")
    let path = String(decoding: found.dropLast(), as: UTF8.self)
    let absolute = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    let attributes = (realPath(absolute) ?? absolute) + "/info/attributes"
    // A link is kept, and its target is changed.
    attributesPath = realPath(attributes) ?? attributes
  }

  /// The folder's path from the top of the repository, for people. The top itself is `.`.
  package var folder: String {
    repository.prefix.isEmpty ? "." : String(decoding: repository.prefix, as: UTF8.self)
  }

  private struct Setting {
    let key: String
    let value: @Sendable (String) -> String
    /// Returns true if this or another version of the program wrote the value.
    let isOurs: @Sendable (String) -> Bool
    /// True if a user's own value is kept.
    var isOptional = false
  }

  private static let mergeSettings = [
    Setting(
      key: "merge.notes-watch.driver", value: { DriverCommand.merge(program: $0).line },
      isOurs: { DriverCommand(mergeLine: $0) != nil }),
    Setting(key: "merge.notes-watch.name", value: { _ in name }, isOurs: { $0 == name }),
  ]
  private static let diffSettings = TextFormat.allCases.flatMap { format in
    [
      Setting(
        key: "diff.\(format.diffDriver).textconv", value: { DriverCommand.diff(program: $0).line },
        isOurs: { DriverCommand(diffLine: $0) != nil }),
      Setting(
        key: "diff.\(format.diffDriver).cachetextconv", value: { _ in "true" }, isOurs: { $0 == "true" },
        isOptional: true),
    ]
  }
  private static let name = "notes-watch: by field"

  /// Sets up the drivers for the program at an absolute path. Installing again changes only what
  /// another program or version wrote.
  ///
  /// - Parameter diff: True to set up the diff driver for this folder, false to remove it. Nil leaves
  ///   it as it is: git runs a program for each version of a file that it shows, so nobody gets it
  ///   unasked.
  /// - Returns: True if the diff driver is set up, and the settings in `config`, as `key = value`.
  /// - Throws: `GitError` if another program's settings are in the way, or git cannot write.
  @discardableResult
  package func install(_ program: String, diff: Bool? = nil) throws(GitError) -> (
    hasDiff: Bool, settings: [String]
  ) {
    var attributes = try attributes()
    let hasDiff = diff ?? attributes.hasDiff(repository.prefix)
    attributes.add(repository.prefix, withDiff: hasDiff)
    var wanted: [(key: String, value: String)] = []
    for setting in GitDrivers.mergeSettings + (attributes.hasDiffBlocks ? GitDrivers.diffSettings : []) {
      let value = try value(of: setting.key, scope: ["--local"])
      let new = setting.value(program)
      if let value, value != new, !setting.isOurs(value) {
        if setting.isOptional { continue }
        throw GitError(
          .failed,
          "Another program set `\(setting.key)` to: \(value). Run `git config --unset-all \(setting.key)` to remove it, then install again."
        )
      }
      wanted.append((setting.key, new))
    }
    for (key, value) in wanted { try set(key, value) }
    try write(attributes)
    // Another program may print other lines.
    try removeCaches()
    if !attributes.hasDiffBlocks { try remove(GitDrivers.diffSettings) }
    return (hasDiff, wanted.map { "\($0.key) = \($0.value)" })
  }

  /// Removes the attributes of this folder. With the last folder, removes the drivers too.
  package func uninstall() throws(GitError) {
    var attributes = try attributes()
    attributes.remove(repository.prefix)
    try write(attributes)
    if !attributes.hasDiffBlocks {
      try removeCaches()
      try remove(GitDrivers.diffSettings)
    }
    if !attributes.hasBlocks { try remove(GitDrivers.mergeSettings) }
  }

  private func remove(_ settings: [Setting]) throws(GitError) {
    for setting in settings {
      guard let value = try value(of: setting.key, scope: ["--local"]), setting.isOurs(value) else {
        continue
      }
      let removed = try repository.git.run(["config", "--local", "--unset-all", setting.key])
      guard removed.status == 0 else { throw GitDrivers.cannotWrite(removed) }
    }
  }

  /// Removes git's cache of our diff drivers' output, but not one that another command made.
  private func removeCaches() throws(GitError) {
    for format in TextFormat.allCases {
      let ref = "refs/notes/textconv/\(format.diffDriver)"
      guard let commit = try repository.objectHeader(ref), commit.type == "commit" else { continue }
      let found = try repository.git.run(["log", "-1", "--format=%s", commit.id, "--"])
      let line = String(decoding: found.output.prefix { $0 != 0x0A }, as: UTF8.self)
      guard found.status == 0, DriverCommand(diffLine: line) != nil else { continue }
      _ = try repository.git.output(["update-ref", "-d", ref, commit.id], to: "remove \(ref)")
    }
  }

  private func set(_ key: String, _ value: String) throws(GitError) {
    if try self.value(of: key, scope: ["--local"]) == value { return }
    let written = try repository.git.run(["config", "--local", "--replace-all", key, value])
    guard written.status == 0 else { throw GitDrivers.cannotWrite(written) }
  }

  private static func cannotWrite(_ outcome: GitResult) -> GitError {
    GitError(.failed, "git could not write the repository's settings: \(outcome.message).")
  }

  func value(of key: String, scope: [String] = []) throws(GitError) -> String? {
    let found = try repository.git.run(["config", "-z"] + scope + ["--get", key])
    return found.status == 0 ? String(decoding: found.output.prefix { $0 != 0 }, as: UTF8.self) : nil
  }

  func attributes() throws(GitError) -> AttributesFile {
    AttributesFile(try WholeFile.readIfThere(attributesPath) ?? [])
  }

  private func write(_ new: AttributesFile) throws(GitError) {
    if try attributes() == new { return }
    if new.bytes.isEmpty { return try WholeFile.remove(attributesPath) }
    if let slash = attributesPath.lastIndex(of: "/") {
      try WholeFile.makeFolder(String(attributesPath[..<slash]))
    }
    try WholeFile.replace(attributesPath, with: new.bytes)
  }
}

// MARK: Status

extension GitDrivers {
  package struct Status: Hashable {
    package let mergeProgram: String?
    package let diffProgram: String?
    package let hasAttributes: Bool
    /// The number of files in the index that use the drivers.
    package let handled: Int
    /// The reasons why the drivers do not run, as sentences. Empty if they do.
    package let warnings: [String]
  }

  package func status() throws(GitError) -> Status {
    let mergeLine = try value(of: "merge.notes-watch.driver")
    let merge = mergeLine.flatMap { DriverCommand(mergeLine: $0) }
    var warnings: [String] = GitDrivers.warnings("merge", mergeLine, merge)
    let attributes = try attributes()
    let hasAttributes = attributes.has(repository.prefix)
    let hasDiff = attributes.hasDiff(repository.prefix)
    let files = try attributedFiles(withDiff: hasDiff)
    var diffLines: [String?] = []
    // Without the diff driver, nothing about it keeps git from merging.
    for format in hasDiff ? TextFormat.allCases : [] {
      diffLines.append(try value(of: "diff.\(format.diffDriver).textconv"))
    }
    let diffs = diffLines.map { $0.flatMap { DriverCommand(diffLine: $0) } }
    let isOutdated =
      diffLines.contains { $0 != nil } && zip(diffLines, diffs).contains { $1?.line != $0 || $0 == nil }
    let isForeign = zip(diffLines, diffs).contains { $0 != nil && $1 == nil }
    if isForeign || !isOutdated {
      warnings +=
        zip(diffLines, diffs).lazy.map { GitDrivers.warnings("diff", $0, $1) }.first { !$0.isEmpty } ?? []
    }
    if !isForeign, isOutdated || (hasAttributes && !attributes.isCurrent(repository.prefix)) {
      warnings.append(
        "Another version of notes-watch set up the drivers. Run `notes-watch git install` for this folder again."
      )
    } else if !hasAttributes {
      warnings.append(
        "No attributes assign the drivers to the items of this folder, so git does not run them.")
    } else if let first = files.first(where: { !$0.isOurs }) {
      warnings.append(
        "\(files.count { !$0.isOurs }) of \(files.count) items (for example \(first.path)) are overridden by other git attributes."
      )
    }
    return Status(
      mergeProgram: merge?.program, diffProgram: diffs.compactMap { $0 }.first?.program,
      hasAttributes: hasAttributes,
      handled: files.count(where: \.isOurs), warnings: warnings)
  }

  private static func warnings(_ name: String, _ line: String?, _ command: DriverCommand?) -> [String] {
    guard line != nil else {
      return ["No \(name) driver is set up in this clone, so git works line by line."]
    }
    guard let command else {
      return ["Another version of notes-watch or another program set up the \(name) driver."]
    }
    if WholeFile.isProgram(command.program) { return [] }
    return [
      "The program of the \(name) driver is missing or not executable, so git works line by line: \(command.program)"
    ]
  }

  /// Returns each item of the index, and true if git would use our drivers for it.
  private func attributedFiles(withDiff: Bool) throws(GitError) -> [(path: String, isOurs: Bool)] {
    let entries = repository.hasWorkTree ? try repository.indexEntries() ?? [] : []
    let paths = entries.filter {
      $0.kind == .file && TextFormat(pathExtension: $0.path.description.fileExtension) != nil
    }.map(\.path)
    if paths.isEmpty { return [] }
    let input = Array(paths.map { $0.bytes + [0] }.joined())
    let found = try repository.git.output(
      ["check-attr", "--stdin", "-z", "merge", "diff"], input: input, to: "check the attributes")
    let words = found.split(separator: 0, omittingEmptySubsequences: false)
    // For each path and attribute, git prints the path, the attribute and its value.
    return paths.enumerated().map { index, path in
      let values = [6 * index + 2, 6 * index + 5].map {
        words.indices.contains($0) ? String(decoding: words[$0], as: UTF8.self) : ""
      }
      let driver = TextFormat(pathExtension: path.description.fileExtension)?.diffDriver
      return (path.description, values[0] == "notes-watch" && (!withDiff || values[1] == driver))
    }
  }
}

// MARK: Costs

extension GitDrivers {
  /// Returns the number of versions of items in the history of `HEAD`: so many times `git log -p`
  /// of all commits runs the diff driver. Nil if git cannot count them, as in some partial clones.
  package func versionCount() -> Int? {
    guard let head = try? repository.head() else { return 0 }
    let found = try? repository.git.output(
      ["rev-list", "--objects", head.commit, "--"], paths: repository.pathspecs([]), to: "count its objects")
    // A line is `OBJECT PATH`; a commit has no path.
    return found?.split(separator: 0x0A).count { line in
      guard let space = line.firstIndex(of: 0x20) else { return false }
      return TextFormat(pathExtension: String(decoding: line[(space + 1)...], as: UTF8.self).fileExtension)
        != nil
    }
  }
}
