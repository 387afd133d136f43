package import Files
import Glibc
import Query
import Values
import Watch

/// The contents of a folder's files, before it is decided which file has which id.
package struct FolderContents {
  package let settings: Settings
  package let findings: [(path: RelativePath, finding: FileFinding)]

  /// Reads all items below a folder.
  ///
  /// - Parameter settings: The settings to read it with; nil for the folder's own.
  /// - Throws: `StoreError` if the folder or its settings cannot be read.
  package init(of root: String, settings: Settings?, options: ReadOptions) throws(StoreError) {
    let folder = try OpenFolder(root, named: root)
    do throws(Problem) {
      self.settings =
        if let settings { settings } else {
          try SettingsFile.read(in: folder, limits: options.limits).settings
        }
    } catch {
      throw StoreError(error.isTransient ? .system : .badSettings, "\(root)/\(error)")
    }
    let contents = StoreContents(settings: self.settings, options: options)
    do throws(WatchError) {
      let listing = try DirectoryScan.scan(root: root, filter: contents.rules.watchFilter)
      findings = ParallelReader(limits: options.limits, threads: options.readers).findings(
        of: contents.plan(listing), root: root)
    } catch {
      throw StoreError(error)
    }
  }
}
