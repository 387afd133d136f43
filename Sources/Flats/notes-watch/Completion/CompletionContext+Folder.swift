import ArgumentParser
import CLinux
import Git
import Glibc
import Store
import Survey
import Streams

/// The candidates that come from a folder of items. What cannot be read gives none.
extension CompletionContext {
  func candidates(_ data: FolderData, typed: String) throws -> [Candidate] {
    if folder == nil { return [] }
    return switch data {
    case .ids: try ids(typed)
    case .folders: try hasPathIDs() ? pathIDs(typed).filter(\.isPartial) : []
    case .fields(let before, let after, let hasPseudoFields):
      try fields(before, after, hasPseudoFields)
    case .idsOrFields(let after): try ids(typed) + fields("", after, false)
    case .views: try settings().views.map { Candidate(text: $0.key) }.sorted { $0.text < $1.text }
    case .sections: try sections()
    case .revisions: try GitRepository(holding: root).refNames().map { Candidate(text: $0) }
    }
  }

  private var root: String { folder ?? "" }

  private func settings() throws -> Settings {
    try SettingsFile.read(in: root, limits: ReadLimits())?.settings ?? Settings()
  }

  private func hasPathIDs() throws -> Bool {
    try values["--id-field"] == nil && settings().idFields.isEmpty
  }

  /// Opens the store as `list` does. Its cache is used and not written.
  private func store() throws -> ItemStore {
    var options = StoreOptions()
    options.idFields = try values["--id-field"].map { text in try ViewDefinition.idFields(text) }
    options.openCache = try CacheOptions.parse([]).open
    return try ItemStore(at: root, watching: false, options: options)
  }

  private func ids(_ typed: String) throws -> [Candidate] {
    if try hasPathIDs() { return try pathIDs(typed) }
    let list = try store().fetch(FetchRequest()).list
    return list.items(in: 0..<list.numberOfItems).map { Candidate(text: $0.description) }
  }

  private func fields(_ before: String, _ after: String, _ hasPseudoFields: Bool) throws -> [Candidate] {
    let pseudo = hasPseudoFields ? PseudoField.allCases.map(\.rawValue) : []
    let names = try store().fieldSurvey().fields.map(\.path.description).sorted() + pseudo
    return names.map { Candidate(text: before + $0 + after, isPartial: !after.isEmpty) }
  }

  private func sections() throws -> [Candidate] {
    let store = try store()
    var view = try values["--view"].map { try store.settings.view(named: $0) } ?? ViewDefinition()
    if let section = values["--section"] {
      view = view.overridden(by: try ViewDefinition(["section": .string(section)]))
    }
    view.limit = nil
    view.offset = nil
    let ids = store.fetch(view.request).list.sectionIdentifiers.map { "\($0)" }
    return ids.filter { !$0.isEmpty && !$0.contains(",") }.map { Candidate(text: $0) }
  }

  /// Lists the folder that the last slash of `typed` ends, and opens no file. The ids of the folders below it
  /// begin with their names.
  private func pathIDs(_ typed: String) throws -> [Candidate] {
    let rules = PathRules(ignore: try settings().ignore)
    let folder = typed.lastIndex(of: "/").map { String(typed[..<$0]) } ?? ""
    let name = RelativePath.decode(folder.utf8)
    let parent = folder.isEmpty ? RelativePath.root : RelativePath(bytes: name)
    guard !name.contains(0), rules.reachesFolder(parent), let entries = openFolder(name, below: root)
    else { return [] }
    defer { closedir(entries) }
    var candidates: [Candidate] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let path = parent.appending(name: name)
      if rules.format(of: path) != nil {
        candidates.append(Candidate(text: Item.ID(path: path).description))
      } else if entry.pointee.d_type == DT_DIR, rules.includesFolder(path) {
        candidates.append(Candidate(text: "\(path)/", isPartial: true))
      }
    }
    return candidates.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }
}

/// Follows no symbolic link, and opens nothing outside of the root.
private func openFolder(_ folder: [UInt8], below root: String) -> OpaquePointer? {
  let descriptor = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  if folder.isEmpty { return fdopendir(descriptor) }
  defer { close(descriptor) }
  let inner = clinux_open_beneath(
    descriptor, folder.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  return inner >= 0 ? fdopendir(inner) : nil
}
