import Store
package import TextEdits

/// git's merge driver for items: a three-way merge by field, applied to our text byte for byte.
///
/// git passes three files and reads the result from the second one. If a side is not a valid item,
/// git's own line merge is used, so the result is never worse than without the driver.
package struct MergeDriver {
  /// The file with the common ancestor. It is empty if both sides added the item.
  package let base: String
  /// The file with our version. It is overwritten with the result.
  package let ours: String
  package let theirs: String
  /// The item's path from the top of the work tree. git runs the driver there.
  package let path: String
  package let markers: TextMerge.Markers

  package enum Outcome: Hashable {
    case clean
    /// Conflict markers are in the result. The names of the first fields in conflict, or none if
    /// lines were merged.
    case conflict(fields: [String])

    package var status: CInt { self == .clean ? 0 : 1 }
  }

  /// The exit code that reports a failure of the driver: above 128, git stops the merge.
  package static let failureStatus: CInt = 129

  package init(base: String, ours: String, theirs: String, path: String, markers: TextMerge.Markers) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.path = path
    self.markers = markers
  }

  /// Merges the three files and writes the result to `ours`. `hint` receives a message if the merge
  /// rules cannot be read and are ignored.
  package func run(hint: (String) -> Void) throws(GitError) -> Outcome {
    let texts = (
      base: try WholeFile.read(base), ours: try WholeFile.read(ours), theirs: try WholeFile.read(theirs)
    )
    guard let format = TextFormat(pathExtension: path.fileExtension) else { return try mergeLines() }
    var rules = MergeRules()
    do {
      rules = try Settings.of(path).mergeRules
    } catch {
      hint("The merge rules in the settings are ignored: \(error)")
    }
    let merge = TextMerge(
      base: texts.base, ours: texts.ours, theirs: texts.theirs, as: format, rules: rules, markers: markers)
    if merge.isByLines { return try mergeLines(or: merge) }
    if merge.bytes != texts.ours { try WholeFile.write(merge.bytes, to: ours) }
    return merge.isConflicted ? .conflict(fields: MergeDriver.names(of: merge.conflicts)) : .clean
  }

  private static let maxNames = 8

  private static func names(of conflicts: [ValueMerge.Conflict]) -> [String] {
    let names = conflicts.prefix(maxNames).map {
      $0.keys.isEmpty ? "the complete item" : FieldPath(keys: $0.keys).description
    }
    return names + (conflicts.count > maxNames ? ["and \(conflicts.count - maxNames) more"] : [])
  }

  private func mergeLines(or merge: TextMerge? = nil) throws(GitError) -> Outcome {
    let labels = ["-L", markers.ours, "-L", "base", "-L", markers.theirs, "--marker-size=\(markers.size)"]
    do throws(GitError) {
      let found = try GitProcess(folder: ".").run(["merge-file"] + labels + ["--", ours, base, theirs])
      switch found.status {
      case 0: return .clean
      // The number of conflicts. 255 means that it cannot merge by lines, and that our version
      // stays.
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
  var fileExtension: String {
    guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(self[utf8.index(after: dot)...])
  }
}

extension Settings {
  /// The settings of the data set of a file in the work tree that is the current folder: those of the
  /// nearest folder above the file that has any, or the defaults. Throws the problem in them.
  fileprivate static func of(_ path: String) throws(Problem) -> Settings {
    guard var folder = RelativePath(bytes: path.utf8).parent, !path.hasPrefix("/") else { return Settings() }
    guard let top = try? OpenFolder(".") else { return Settings() }
    while true {
      if let settings = try SettingsFile.read(in: folder, of: top, limits: ReadLimits())?.settings {
        return settings
      }
      guard let parent = folder.parent else { return Settings() }
      folder = parent
    }
  }
}
