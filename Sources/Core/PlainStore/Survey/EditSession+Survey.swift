import Files
import Query
import Values
import Watch

extension EditSession {
  /// Returns the fields that the items of this folder have.
  ///
  /// Lists the folder and reads at most `FieldSurvey.maxItems` of its files, spread over the sorted
  /// paths. Files that cannot be read as items are left out.
  package var fieldSurvey: FieldSurvey {
    let locator = locator
    let entries =
      (try? DirectoryScan.scan(root: locator.rootPath, filter: locator.rules.watchFilter))?.entries ?? []
    let files = entries.filter { $0.kind == .regular }.map(\.path).sorted()
    var reader = FileReader(limits: limits)
    return FieldSurvey(of: files.count, settings: locator.settings) { number in
      let path = files[number]
      guard let format = locator.rules.format(of: path), let status = try? locator.root.status(of: path),
        Int(clamping: status.stamp.size) <= FieldSurvey.maxSize.file,
        case .item(let stamp, let fields) = reader.read(
          ReadRequest(path: path, format: format, isRegular: true, known: nil), below: locator.root),
        let id = try? Item.ID(of: fields, at: path, by: locator.idFields)
      else { return nil }
      return Item(id: id, path: path, stamp: stamp, fields: fields)
    }
  }
}
