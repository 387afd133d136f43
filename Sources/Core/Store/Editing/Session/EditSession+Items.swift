extension EditSession {
  package var settings: Settings { locator.settings }

  /// The paths of the folder's files, in order. Lists the folder.
  package var files: [RelativePath] {
    let entries =
      (try? DirectoryScan.scan(root: locator.path.absolute, filter: locator.rules.watchFilter))?.entries ?? []
    return entries.filter { $0.kind == .regular }.map(\.path).sorted()
  }

  /// Reads an item from its file; nil if the file is larger than `size`, or cannot be read as an item.
  package func item(in path: RelativePath, upTo size: Int, _ reader: inout FileReader) -> Item? {
    guard let format = locator.rules.format(of: path), let status = try? locator.root.status(of: path),
      Int(clamping: status.stamp.size) <= size,
      case .item(let stamp, let fields) = reader.read(
        ReadRequest(path: path, format: format, isRegular: true), below: locator.root),
      let id = try? Item.ID(of: fields, at: path, by: locator.idFields)
    else { return nil }
    return Item(id: id, path: path, stamp: stamp, fields: fields)
  }
}
