import Files
import PlainStore
import Values

/// The settings of the data set of a file in a work tree: those of the nearest folder above it that
/// has any.
enum DataSetSettings {
  /// Reads the settings for a file, or returns the defaults if there are none.
  ///
  /// - Parameters:
  ///   - path: The path of the file from the top of the work tree, which is the current folder.
  ///   - limits: The limits for reading the settings.
  /// - Throws: The problem in the settings.
  static func of(_ path: String, limits: ReadLimits) throws(Problem) -> Settings {
    guard var folder = RelativePath(bytes: path.utf8).parent, !path.hasPrefix("/") else { return Settings() }
    guard let top = try? OpenFolder(".") else { return Settings() }
    while true {
      if let settings = try SettingsFile.read(in: folder, of: top, limits: limits)?.settings {
        return settings
      }
      guard let parent = folder.parent else { return Settings() }
      folder = parent
    }
  }
}
