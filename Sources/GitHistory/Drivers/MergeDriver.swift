import PlainStore
package import PlainText

/// git's merge driver for items: three-way by field, written onto our text byte for byte.
///
/// git hands it three files and where the result belongs, and takes the second file as the result. What cannot be read as an item, on any side, is
/// merged by git's own line merge, so that nothing is worse than without the driver.
package struct MergeDriver: Sendable {
  /// The version that both sides come from; empty where both are new.
  package let base: String
  /// Ours; it becomes the result.
  package let ours: String
  package let theirs: String
  /// The path of the file in the work tree, which is where git runs the driver.
  package let path: String
  package let markers: TextMerge.Markers

  package enum Outcome: Sendable, Hashable {
    case clean
    /// With markers in the result, for a person to decide. The first of the fields, for a sentence; none where lines were merged.
    case conflict(fields: [String])

    /// What git takes for it.
    package var status: CInt { self == .clean ? 0 : 1 }
  }

  /// What tells git that there is no result: anything above 128. It stops the merge then.
  package static let failureStatus: CInt = 129

  package init(base: String, ours: String, theirs: String, path: String, markers: TextMerge.Markers) {
    (self.base, self.ours, self.theirs, self.path, self.markers) = (base, ours, theirs, path, markers)
  }

  /// - Parameter hint: is handed a sentence about settings that could not be read; nothing is decided by rules then.
  package func run(limits: ReadLimits = ReadLimits(), hint: (String) -> Void) async throws(GitError) -> Outcome {
    let texts = (base: try WholeFile.read(base), ours: try WholeFile.read(ours), theirs: try WholeFile.read(theirs))
    guard let format = TextFormat(pathExtension: path.fileExtension) else { return try await mergeLines() }
    var rules = MergeRules()
    do {
      rules = try DataSetSettings.of(path, limits: limits).mergeRules
    } catch {
      hint("The merge rules of the settings are left out of account: \(error)")
    }
    let merge = TextMerge(
      base: texts.base, ours: texts.ours, theirs: texts.theirs, as: format, rules: rules, markers: markers, limits: limits)
    if merge.isByLines { return try await mergeLines(or: merge) }
    if merge.bytes != texts.ours { try WholeFile.write(merge.bytes, to: ours) }
    return merge.isConflicted ? .conflict(fields: MergeDriver.names(of: merge.conflicts)) : .clean
  }

  /// What a person takes in at a glance.
  private static let mostNames = 8

  private static func names(of conflicts: [ValueMerge.Conflict]) -> [String] {
    let names = conflicts.prefix(mostNames).map { $0.keys.isEmpty ? "the item as a whole" : FieldPath(keys: $0.keys).description }
    return names + (conflicts.count > mostNames ? ["and \(conflicts.count - mostNames) more"] : [])
  }

  /// As git does it without a driver.
  private func mergeLines(or merge: TextMerge? = nil) async throws(GitError) -> Outcome {
    let labels = ["-L", markers.ours, "-L", "base", "-L", markers.theirs, "--marker-size=\(markers.size)"]
    do throws(GitError) {
      let found = try GitProcess(folder: ".").run(["merge-file"] + labels + ["--", ours, base, theirs])
      switch found.status {
      case 0: return .clean
      // The number of conflicts; 255 where it has no lines, and ours stays until a person decides.
      case 1...127, 255: return .conflict(fields: [])
      default: throw found.failure("merge \(path) by lines")
      }
    } catch {
      guard error.code == .missing, let merge else { throw error }
      try WholeFile.write(merge.bytes, to: ours)
      return merge.isConflicted ? .conflict(fields: []) : .clean
    }
  }
}

extension String {
  /// Without the dot; empty where there is none.
  var fileExtension: String {
    guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(self[utf8.index(after: dot)...])
  }
}
