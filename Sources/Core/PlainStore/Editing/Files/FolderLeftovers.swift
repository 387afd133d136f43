import Files
import Folder
package import Query
import Values
import Watch

extension Leftover {
  /// Returns a message about the leftover, with its path.
  ///
  /// - Parameter directory: The folder that contains it.
  func sentence(in directory: RelativePath) -> String { "\(directory.appending(name: name.bytes)): \(message(in: directory))" }

  func message(in directory: RelativePath) -> String {
    let item = item.map { directory.appending(name: $0.bytes).description }
    return switch kind {
    case .unfinished: "An interrupted save left this unfinished text. The next save in this folder deletes it; you can delete it too."
    case .replaced:
      "An interrupted save left the previous text of \(item ?? "a file"). The next save in this folder deletes it; you can delete it too."
    case .saved:
      "Another program may have saved this version of \(item ?? "a file in this folder") while a save was interrupted. Compare them, keep what you need, and delete this file."
    }
  }
}

extension ItemStore {
  /// Returns a problem for each file that an interrupted save left in the folder, at any depth, in
  /// the order of the paths. Waits up to 5 seconds per folder for running saves.
  package func leftoverProblems() -> [Problem] {
    let rules = PathRules(ignore: settings.ignore)
    let filter = WatchFilter(
      includesDirectory: { rules.includesFolder($0) }, includesFile: { TemporaryName(Substring($0.name)) != nil })
    guard let root = try? OpenFolder(location), let found = try? DirectoryScan.scan(root: location, filter: filter).entries else {
      return []
    }
    let directories = Set(found.map { $0.path.parent ?? .root })
    return directories.flatMap { directory -> [Problem] in
      guard let folder = try? SaveFolder.open(directory, below: root) else { return [] }
      // A running save has such files too. If it takes longer, they are reported.
      _ = try? folder.lock(patience: .seconds(5))
      return LeftoverSweep.leftovers(in: folder).map { leftover in
        Problem(path: directory.appending(name: leftover.name.bytes), message: leftover.message(in: directory))
      }
    }.sorted { $0.path < $1.path }
  }
}
