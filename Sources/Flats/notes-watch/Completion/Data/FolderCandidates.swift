import ArgumentParser
import DiffableSnapshot
import Files
import Git
import PlainStore
import Values

/// The candidates that come from a folder of items. What cannot be read gives none.
struct FolderCandidates {
  private let folder: String
  private let values: [String: String]

  /// Uses a folder.
  ///
  /// - Parameter values: The options of the command line, by their long names.
  init(_ folder: String, _ values: [String: String]) {
    self.folder = folder
    self.values = values
  }

  /// Returns the candidates.
  ///
  /// - Parameter typed: The part of the current word that they replace.
  func candidates(_ data: FolderData, typed: String) async throws -> [Candidate] {
    switch data {
    case .ids: try ids(typed)
    case .folders:
      try hasPathIDs() ? IDFolder(folder, rules(), typed: typed).candidates.filter(\.isPartial) : []
    case .fields(let before, let after, let hasPseudoFields): try fields(before, after, hasPseudoFields)
    case .idsOrFields(let after): try ids(typed) + fields("", after, false)
    case .views: try settings().views.map { Candidate(text: $0.key) }.sorted { $0.text < $1.text }
    case .sections: try sections()
    case .revisions: try await GitRepository(holding: folder).refNames().map { Candidate(text: $0) }
    }
  }

  private func settings() throws -> Settings {
    try SettingsFile.read(in: folder, limits: ReadLimits())?.settings ?? Settings()
  }

  private func rules() throws -> PathRules { PathRules(ignore: try settings().ignore) }

  private func hasPathIDs() throws -> Bool { try values["--id-field"] == nil && settings().idFields.isEmpty }

  /// Opens the store as `list` does. Its cache is used and not written.
  private func store() throws -> ItemStore {
    var options = StoreOptions()
    options.idFields = try values["--id-field"].map { text in try ViewDefinition.idFields(text) }
    options.openCache = try CacheOptions.parse([]).open
    return try ItemStore(at: folder, watching: false, options: options)
  }

  private func ids(_ typed: String) throws -> [Candidate] {
    if try hasPathIDs() { return try IDFolder(folder, rules(), typed: typed).candidates }
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
    (view.limit, view.offset) = (nil, nil)
    let ids = store.fetch(view.request).list.sectionIdentifiers.map { "\($0)" }
    return ids.filter { !$0.isEmpty && !$0.contains(",") }.map { Candidate(text: $0) }
  }
}
