import DirectoryWatch
import LinuxFiles
import PlainStore
import PlainText

/// The settings of the data set that a file of a work tree belongs to: those in the nearest folder above it that has any.
enum DataSetSettings {
  /// `path` goes from the current folder, the top of the work tree, down. The defaults where there are none.
  ///
  /// - Throws: what is wrong with them.
  static func of(_ path: String, limits: ReadLimits) throws(Problem) -> Settings {
    guard var folder = RelativePath(bytes: path.utf8).parent, !path.hasPrefix("/") else { return Settings() }
    guard let top = try? OpenFolder(".") else { return Settings() }
    while true {
      if let settings = try SettingsFile.read(in: folder, of: top, limits: limits)?.settings { return settings }
      guard let parent = folder.parent else { return Settings() }
      folder = parent
    }
  }
}
