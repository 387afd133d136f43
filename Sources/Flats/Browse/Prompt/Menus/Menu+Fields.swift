import PlainStore

/// The fields by which a list can be sorted and divided.
extension Menu {
  static let idField = FieldPath(keys: ["@id"])

  /// The pseudo-fields that order a list usefully.
  private static let pseudoFields = [
    "@id", "@path", "@dir", "@name", "@ext", "@modified", "@created", "@size",
  ]
  .map { FieldPath(keys: [$0]) }

  /// Returns the fields of a menu: that of the list first, then its columns, its fields, those of
  /// the views, and the pseudo-fields. None is twice.
  static func sortable(_ snapshot: ResultsSnapshot, columns: [FieldPath], settings: Settings) -> [FieldPath] {
    let survey = FieldSurvey(snapshot).topLevel.filter { $0.kind != .map && $0.kind != .list }.map(\.path)
    let written = settings.views.sorted { $0.key < $1.key }.flatMap { $0.value.sort ?? [] }.compactMap(\.path)
    let own = snapshot.request.sort.compactMap(\.path) + columns.filter { $0 != idField }
    return unique(own + survey + written + pseudoFields)
  }

  /// Returns the rules of sections that make sense for a list: none is twice.
  static func sectionable(_ snapshot: ResultsSnapshot, settings: Settings) -> [SectionDescriptor] {
    let written = sections(of: settings)
    var rules =
      (snapshot.request.section.map { [$0] } ?? []) + written + [SectionDescriptor(FieldPath(keys: ["@dir"]))]
    for field in FieldSurvey(snapshot).topLevel {
      switch field.kind {
      case .map: continue
      case .list: rules.append(SectionDescriptor(field.path, by: .element))
      case .string: rules += [SectionDescriptor(field.path), SectionDescriptor(field.path, by: .firstLetter)]
      default: rules.append(SectionDescriptor(field.path))
      }
    }
    rules.append(SectionDescriptor(idField, by: .firstLetter))
    var seen: [FieldPath: Set<SectionDescriptor.Grouping>] = [:]
    return rules.filter { rule in
      rule.path.map { seen[$0, default: []].insert(rule.grouping).inserted } ?? false
    }
  }

  static func sections(of settings: Settings) -> [SectionDescriptor] {
    settings.views.sorted { $0.key < $1.key }.compactMap(\.value.request.section)
  }

  private static func unique(_ paths: [FieldPath]) -> [FieldPath] {
    var seen: Set<FieldPath> = []
    return paths.filter { seen.insert($0).inserted }
  }
}
