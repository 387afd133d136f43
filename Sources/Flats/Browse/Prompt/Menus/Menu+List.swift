import Store
import Survey
import Streams

extension Menu {
  /// The fields of the list, of the views and the pseudo-fields. What was typed may be any other field.
  static func sorting(_ snapshot: ListSnapshot<Item>, columns: [FieldPath], settings: Settings) -> Menu {
    let sort = snapshot.request.ownSort
    let current = sort.isEmpty ? ItemSortDescriptor(idField) : sort[0]
    let fields = sortable(snapshot, columns: columns, settings: settings)
    return Menu(
      "Sort by",
      fields.map { field in
        let isCurrent = current.path == field
        return Choice(
          title: field.description,
          note: isCurrent ? (current.isDescending ? "descending" : "ascending") : "", isCurrent: isCurrent,
          effects: isCurrent ? [] : [.change(.sort([ItemSortDescriptor(field)]))])
      },
      custom: { text in
        guard let descriptor = try? ItemSortDescriptor(parsing: text) else { return nil }
        return Choice(title: text, note: "another field", effects: [.change(.sort([descriptor]))])
      })
  }

  /// Returns the change that reverses the order of a list: the first field counts the other way.
  static func reversed(_ sort: [ItemSortDescriptor]) -> RequestChange {
    guard let first = sort.first else { return .sort([ItemSortDescriptor(idField, descending: true)]) }
    return first.path == nil ? .sort(sort) : .sort([first.reversed] + sort.dropFirst())
  }

  /// None, the folders, and the fields of the list by their values, their first letters or their elements.
  /// Sections of the settings keep their order and titles.
  static func sections(_ snapshot: ListSnapshot<Item>, settings: Settings) -> Menu {
    let current = snapshot.request.section
    var choices = [
      Choice(
        title: "no sections", isCurrent: current == nil,
        effects: current == nil ? [] : [.change(.section(nil))])
    ]
    let known = sections(of: settings) + (current.map { [$0] } ?? [])
    for descriptor in sectionable(snapshot, settings: settings) {
      let isCurrent =
        current.map { $0.path == descriptor.path && $0.grouping == descriptor.grouping } ?? false
      let written = known.first { $0.path == descriptor.path && $0.grouping == descriptor.grouping }
      choices.append(
        Choice(
          title: title(of: descriptor), note: isCurrent ? "now" : "", isCurrent: isCurrent,
          effects: isCurrent ? [] : [.change(.section(written ?? descriptor))]))
    }
    return Menu(
      "Sections", choices,
      custom: { text in
        guard let path = try? FieldPath(parsing: text) else { return nil }
        return Choice(
          title: text, note: "another field", effects: [.change(.section(SectionDescriptor(path)))])
      })
  }

  static func views(_ settings: Settings, current: String?) -> Menu {
    let all = Choice(
      title: "all items", note: "no view", isCurrent: current == nil, effects: [.change(.view(nil))])
    let named = settings.views.sorted { $0.key < $1.key }.map { name, view in
      Choice(title: name, note: note(on: view), isCurrent: name == current, effects: [.change(.view(name))])
    }
    return Menu("View", [all] + named)
  }

  private static func title(of section: SectionDescriptor) -> String {
    let path = section.path?.description ?? ""
    switch section.grouping {
    case .firstLetter: return "\(path), first letter"
    case .element: return "\(path), each element"
    default: return path
    }
  }

  private static func note(on view: ViewDefinition) -> String {
    var parts: [String] = []
    if let sort = view.sort, !sort.isEmpty {
      parts.append("by \(sort.map(\.description).joined(separator: ", "))")
    }
    if let predicate = view.predicate { parts.append("where \(predicate.text)") }
    if let search = view.search, !search.isEmpty { parts.append("search \(search)") }
    if let query = view.query { parts.append("query \(query)") }
    return parts.joined(separator: ", ")
  }

  private static let idField = FieldPath(keys: ["@id"])

  /// The pseudo-fields that order a list usefully.
  private static let pseudoFields = [
    "@id", "@path", "@dir", "@name", "@ext", "@modified", "@created", "@size",
  ]
  .map { FieldPath(keys: [$0]) }

  /// Each once: that of the list, its columns, its fields, those of the views, and the pseudo-fields.
  private static func sortable(_ snapshot: ListSnapshot<Item>, columns: [FieldPath], settings: Settings)
    -> [FieldPath]
  {
    let survey = FieldSurvey(snapshot).topLevel.filter { $0.kind != .map && $0.kind != .list }.map(\.path)
    let written = settings.views.sorted { $0.key < $1.key }.flatMap { $0.value.sort ?? [] }.compactMap(\.path)
    let own = snapshot.request.ownSort.compactMap(\.path) + columns.filter { $0 != idField }
    return unique(own + survey + written + pseudoFields)
  }

  /// Returns the rules of sections that make sense for a list: none is twice.
  private static func sectionable(_ snapshot: ListSnapshot<Item>, settings: Settings) -> [SectionDescriptor] {
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

  private static func sections(of settings: Settings) -> [SectionDescriptor] {
    settings.views.sorted { $0.key < $1.key }.compactMap(\.value.request.section)
  }

  private static func unique(_ paths: [FieldPath]) -> [FieldPath] {
    var seen: Set<FieldPath> = []
    return paths.filter { seen.insert($0).inserted }
  }
}
