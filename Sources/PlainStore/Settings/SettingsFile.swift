import DirectoryWatch
import PlainText

/// The settings file of a folder, as it was found on disk.
struct SettingsFile {
  let settings: Settings
  private let document: LocatedValue?

  /// Where there is no file: the defaults.
  private init() {
    settings = Settings()
    document = nil
  }

  private init(_ document: LocatedValue) throws(Problem) {
    self.document = document
    do throws(SettingsError) {
      settings = try Settings(document.value)
    } catch {
      throw SettingsFile.problem(error, in: document)
    }
  }

  /// - Throws: what is wrong with the file.
  static func read(in folder: OpenFolder, limits: ReadLimits) throws(Problem) -> SettingsFile {
    guard let file = try folder.openFile(PathRules.settingsPath) else { return SettingsFile() }
    var buffer: [UInt8] = []
    let count = try file.read(into: &buffer, atMost: limits.maximumSize)
    let document: LocatedValue
    do throws(TextError) {
      document = try LocatedValue(reading: Array(buffer[..<count]), as: .yaml, limits: limits)
    } catch {
      throw Problem(path: PathRules.settingsPath, line: error.line, column: error.column, message: error.message)
    }
    return try SettingsFile(document)
  }

  /// The same where the folder itself may be gone; then there are no settings.
  static func read(in root: String, limits: ReadLimits) throws(Problem) -> SettingsFile {
    guard let folder = OpenFolder(root) else { return SettingsFile() }
    return try read(in: folder, limits: limits)
  }

  /// What does not like these settings, as a problem at its place in the file.
  func problem(_ error: SettingsError) -> Problem {
    SettingsFile.problem(error, in: document)
  }

  private static func problem(_ error: SettingsError, in document: LocatedValue?) -> Problem {
    let place = document?.place(nearestTo: error.keys) ?? TextPlace(line: 1, column: 1)
    return Problem(path: PathRules.settingsPath, line: place.line, column: place.column, message: error.description)
  }
}
