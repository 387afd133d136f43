import Files
import Folder
import Query
import Watch

extension ItemStore {
  /// Returns a problem for each file that an interrupted save left in the folder, at any depth, in
  /// the order of the paths. Waits up to 5 seconds per folder for running saves.
  package func leftoverProblems() -> [Problem] {
    let rules = PathRules(ignore: settings.ignore)
    let filter = WatchFilter(
      includesDirectory: { rules.includesFolder($0) },
      includesFile: { TemporaryName(Substring($0.name)) != nil })
    guard let root = try? OpenFolder(location),
      let found = try? DirectoryScan.scan(root: location, filter: filter).entries
    else {
      return []
    }
    let directories = Set(found.map { $0.path.parent ?? .root })
    return directories.flatMap { directory -> [Problem] in
      guard let folder = try? SaveFolder.open(directory, below: root) else { return [] }
      // A running save has such files too. If it takes longer, they are reported.
      _ = try? folder.lock(patience: .seconds(5))
      return Leftover.all(in: folder).map { leftover in
        Problem(
          path: directory.appending(name: leftover.name.bytes), message: leftover.message(in: directory))
      }
    }.sorted { $0.path < $1.path }
  }
}
