package import DirectoryWatch
import Glibc
import LinuxFiles
package import PlainText
import SystemPackage

/// The settings file of a folder, as it was found on disk.
package struct SettingsFile {
  /// Bytes of a settings file, and bytes that its aliases may add. It came with a clone, so what it may cost is bounded.
  package static let maxSize = 256 << 10

  package let settings: Settings
  private let bytes: [UInt8]

  /// Where there is no file: the defaults.
  private init() {
    settings = Settings()
    bytes = []
  }

  /// - Throws: what is wrong with the file.
  package init(_ bytes: [UInt8], limits: ReadLimits) throws(Problem) {
    try SettingsFile.check(size: bytes.count)
    self.bytes = bytes
    let limits = ReadLimits(
      depth: limits.depth, expandedSize: min(limits.expandedSize, SettingsFile.maxSize), maximumSize: limits.maximumSize)
    let written: Value
    do throws(TextError) {
      written = try PackedValue(reading: bytes, as: .yaml, limits: limits).value
    } catch {
      throw Problem(path: PathRules.settingsPath, line: error.line, column: error.column, message: error.message)
    }
    do throws(SettingsError) {
      settings = try Settings(written)
    } catch {
      throw SettingsFile.problem(error, in: bytes)
    }
  }

  /// - Throws: what is wrong with the file.
  static func read(in folder: OpenFolder, limits: ReadLimits) throws(Problem) -> SettingsFile {
    try read(in: .root, of: folder, limits: limits) ?? SettingsFile()
  }

  /// Of a data set in a folder below another. Nil where there are none.
  package static func read(in folder: RelativePath, of root: OpenFolder, limits: ReadLimits) throws(Problem) -> SettingsFile? {
    let path = folder.appending(name: PathRules.settingsPath.bytes)
    guard let file = try root.openFile(path) else { return nil }
    try check(size: Int(clamping: file.stamp.size))
    var buffer: [UInt8] = []
    let count = try file.read(into: &buffer, within: limits)
    return try SettingsFile(Array(buffer[..<count]), limits: limits)
  }

  private static func check(size: Int) throws(Problem) {
    guard size > maxSize else { return }
    throw Problem(
      path: PathRules.settingsPath,
      message:
        "The settings have \(size) bytes, and at most \(maxSize) are read. Shorten them; patterns such as `drafts/` stand for many paths.")
  }

  /// The same by the root's name. Nil where the root is gone: that says nothing of the settings in it. A root that cannot be opened is a problem of its own.
  static func read(in root: String, named name: String? = nil, limits: ReadLimits) throws(Problem) -> SettingsFile? {
    let folder: OpenFolder
    do throws(Errno) {
      folder = try OpenFolder(root)
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw Problem(openingRoot: name ?? root, error)
    }
    return try read(in: folder, limits: limits)
  }

  /// What is wrong with the first view that cannot be read.
  var viewProblem: Problem? { settings.viewErrors.first.map(problem) }

  /// What does not like these settings, as a problem at its place in the file.
  func problem(_ error: SettingsError) -> Problem {
    SettingsFile.problem(error, in: bytes)
  }

  private static func problem(_ error: SettingsError, in bytes: [UInt8]) -> Problem {
    // Where the text cannot be located (it is UTF-16, say), the whole file is the place.
    let text = error.keys.isEmpty ? nil : try? LocatedText(reading: bytes, as: .yaml)
    let place = text?.place(of: FieldPath(keys: error.keys)) ?? TextPlace(line: 1, column: 1)
    return Problem(path: PathRules.settingsPath, line: place.line, column: place.column, message: error.description)
  }
}
