package import Files
import Glibc
package import Query
import SystemPackage
package import Values

/// The settings file of a folder as it is on disk.
package struct SettingsFile {
  /// The maximum size of a settings file in bytes, and of what its aliases add. The file may come
  /// with a `git clone`, so its cost is bounded.
  package static let maxSize = 256 << 10

  package let settings: Settings
  /// The text of the file; nil if there is none.
  package let bytes: [UInt8]?

  private init() {
    settings = Settings()
    bytes = nil
  }

  package init(_ bytes: [UInt8], limits: ReadLimits) throws(Problem) {
    try SettingsFile.check(size: bytes.count)
    self.bytes = bytes
    let limits = ReadLimits(
      depth: limits.depth, expandedSize: min(limits.expandedSize, SettingsFile.maxSize),
      maxSize: limits.maxSize)
    let written: Value
    do throws(TextError) {
      written = try PackedValue(reading: bytes, as: .yaml, limits: limits).value
    } catch {
      throw Problem(
        path: PathRules.settingsPath, line: error.line, column: error.column, message: error.message)
    }
    do throws(SettingsError) {
      settings = try Settings(written)
    } catch {
      throw SettingsFile.problem(error, in: bytes)
    }
  }

  /// Reads the settings file in a root, or returns the defaults if there is none.
  package static func read(in folder: OpenFolder, limits: ReadLimits) throws(Problem) -> SettingsFile {
    try read(in: .root, of: folder, limits: limits) ?? SettingsFile()
  }

  /// Reads the settings of a data set in a folder below a root. Returns nil if there is no file.
  package static func read(in folder: RelativePath, of root: OpenFolder, limits: ReadLimits) throws(Problem)
    -> SettingsFile?
  {
    let path = folder.appending(name: PathRules.settingsPath.bytes)
    guard let file = try root.openFile(path) else { return nil }
    try check(size: Int(clamping: file.stamp.size))
    return try SettingsFile(file.bytes(within: limits), limits: limits)
  }

  private static func check(size: Int) throws(Problem) {
    guard size > maxSize else { return }
    throw Problem(
      path: PathRules.settingsPath,
      message:
        "The settings have \(size) bytes, but at most \(maxSize) are allowed.",
      advice: "Shorten them: a pattern such as `drafts/` matches many paths.")
  }

  /// Reads the settings file in the root at a path. Returns nil if the root does not exist, because
  /// then nothing is known about its settings. A root that cannot be opened is a problem.
  package static func read(in root: String, named name: String? = nil, limits: ReadLimits) throws(Problem)
    -> SettingsFile?
  {
    let folder: OpenFolder
    do throws(Errno) {
      folder = try OpenFolder(root)
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw Problem(openingRoot: name ?? root, error)
    }
    return try read(in: folder, limits: limits)
  }

  package var viewProblem: Problem? { settings.viewErrors.first.map(problem) }

  package func warnings(about items: some Sequence<Item>) -> [Problem] {
    settings.views.sorted { $0.key < $1.key }.flatMap { name, view in
      FetchRequest(predicate: view.predicate, query: view.query).unquotedStrings(in: items).map {
        problem(SettingsError(["views", name, $0.isInQuery ? "query" : "where"], $0.error.message))
      }
    }
  }

  package func problem(_ error: SettingsError) -> Problem {
    SettingsFile.problem(error, in: bytes ?? [])
  }

  private static func problem(_ error: SettingsError, in bytes: [UInt8]) -> Problem {
    // If the text has no places, for example because it is UTF-16, the problem is at its start.
    let text = error.keys.isEmpty ? nil : try? LocatedText(reading: bytes, as: .yaml)
    let place = text?.place(of: FieldPath(keys: error.keys)) ?? TextPlace(line: 1, column: 1)
    var problem = Problem(
      path: PathRules.settingsPath, line: place.line, column: place.column, message: error.description)
    problem.settingsError = error
    return problem
  }
}
