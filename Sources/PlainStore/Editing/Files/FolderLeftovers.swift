import DirectoryWatch
import PlainText

extension Leftover {
  /// What a person should know of it.
  ///
  /// - Parameter directory: the folder that it is in.
  func sentence(in directory: RelativePath) -> String { "\(directory.appending(name: name.bytes)): \(message(in: directory))" }

  func message(in directory: RelativePath) -> String {
    let item = item.map { directory.appending(name: $0.bytes).description }
    return switch kind {
    case .unfinished: "An interrupted save left this unfinished text. The next save in this folder deletes it; you can delete it, too."
    case .replaced:
      "An interrupted save left the text that \(item ?? "a file") had before. The next save in this folder deletes it; you can delete it, too."
    case .saved:
      "This may be what another program saved to \(item ?? "a file of this folder") while a save was interrupted. Compare them, keep what you need, and delete this file."
    }
  }
}

extension ItemStore {
  /// Problems for the files that interrupted saves left in the folder, at any depth, in the order of their paths. Waits a moment for saves that are running.
  package func leftoverProblems() -> [Problem] {
    let rules = PathRules(ignore: settings.ignore)
    let filter = WatchFilter(
      includesDirectory: { rules.includesFolder($0) }, includesFile: { TemporaryName(Substring($0.name)) != nil })
    guard let root = try? OpenFolder(location), let found = try? DirectoryScan.scan(root: location, filter: filter).entries else { return [] }
    let directories = Set(found.map { $0.path.parent ?? .root })
    return directories.flatMap { directory -> [Problem] in
      guard let folder = try? SaveFolder.open(directory, below: root) else { return [] }
      // A save that is running has such files, too. Where it goes on for longer, they are reported.
      _ = try? folder.lock(patience: .seconds(5))
      return LeftoverSweep.leftovers(in: folder).map { leftover in
        Problem(path: directory.appending(name: leftover.name.bytes), message: leftover.message(in: directory))
      }
    }.sorted { $0.path < $1.path }
  }
}
