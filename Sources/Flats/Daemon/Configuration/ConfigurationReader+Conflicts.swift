import Values

extension ConfigurationReader {
  /// Refuses a folder that is listed twice, even under a different path. A folder below another is allowed.
  mutating func checkFolders() {
    var first: [String: (path: String, index: Int)] = [:]
    for (path, index) in folderPaths {
      let identity = ConfigurationReader.identity(of: path)
      if let other = first[identity] {
        let name = other.path == path ? "" : " as \(other.path)"
        report(
          "The folder is listed twice: entry \(other.index + 1) of `folders` has it\(name). Put all "
            + "sinks there.",
          at: ["folders", "\(index)", "path"])
      } else {
        first[identity] = (path, index)
      }
    }
  }

  /// Refuses a file of a sink that would be an item of a folder, or that something else writes.
  mutating func checkFiles() {
    let roots = folderPaths.map { ConfigurationReader.identity(of: $0.path) }
    var owners = [ConfigurationReader.identity(of: file): "is the configuration file"]
    for (path, keep, sink, keys) in sinkFiles where keep > 0 {
      let identity = ConfigurationReader.identity(of: path)
      for earlier in (1...keep).map({ "\(identity).\($0)" }) {
        if let owner = owners[earlier] {
          report("\(earlier), an earlier file of this one, \(owner). Choose another name.", at: keys)
          break
        }
        owners[earlier] = "is replaced by the sink `\(sink)`, as an earlier file"
      }
    }
    for (path, _, sink, keys) in sinkFiles {
      let identity = ConfigurationReader.identity(of: path)
      if let owner = owners[identity] {
        report("\(path) \(owner). Give the sink a file of its own.", at: keys)
      }
      owners[identity] = "is the file of the sink `\(sink)`"
      guard isItemName(identity),
        let root = roots.first(where: { identity.hasPrefix($0 == "/" ? "/" : "\($0)/") })
      else { continue }
      report(
        "The file would be an item of the watched folder \(root). Write it elsewhere, or with another "
          + "extension, such as .jsonl.",
        at: keys)
    }
  }

  private func isItemName(_ path: String) -> Bool {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")), !path[dot...].contains("/") else {
      return false
    }
    return TextFormat(pathExtension: String(path[path.utf8.index(after: dot)...])) != nil
  }
}
