import PlainStore

extension Menu {
  /// Returns the menu of the sort fields: that of the list, its columns and fields, those of the
  /// views of the settings, and the pseudo-fields. What was typed may be any other field.
  ///
  /// - Parameters:
  ///   - snapshot: The list.
  ///   - columns: The fields that the list shows.
  ///   - settings: The settings of the folder.
  static func sorting(_ snapshot: ResultsSnapshot, columns: [FieldPath], settings: Settings) -> Menu {
    let sort = snapshot.request.sort
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
        guard let descriptor = ItemSortDescriptor(text) else { return nil }
        return Choice(title: text, note: "another field", effects: [.change(.sort([descriptor]))])
      })
  }

  /// Returns the change that reverses the order of a list: the first field counts the other way.
  static func reversed(_ sort: [ItemSortDescriptor]) -> RequestChange {
    guard let first = sort.first else { return .sort([ItemSortDescriptor(idField, descending: true)]) }
    return first.path == nil ? .sort(sort) : .sort([first.reversed] + sort.dropFirst())
  }

  /// Returns the menu of the sections: none, the folders, and the fields of the list by their
  /// values, their first letters or their elements.
  ///
  /// - Parameters:
  ///   - snapshot: The list.
  ///   - settings: The settings of the folder. Their order and titles of sections are kept.
  static func sections(_ snapshot: ResultsSnapshot, settings: Settings) -> Menu {
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
        guard let path = FieldPath(text) else { return nil }
        return Choice(
          title: text, note: "another field", effects: [.change(.section(SectionDescriptor(path)))])
      })
  }

  /// Returns the menu of the named views of the settings.
  ///
  /// - Parameters:
  ///   - settings: The settings of the folder.
  ///   - current: The name of the view that is shown; nil for all items.
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

  /// Returns what a view does, in short.
  private static func note(on view: ViewDefinition) -> String {
    var parts: [String] = []
    if let sort = view.sort, !sort.isEmpty {
      parts.append("by \(sort.map(\.description).joined(separator: ", "))")
    }
    if let predicate = view.predicate { parts.append("where \(predicate.text)") }
    if let search = view.search, !search.isEmpty { parts.append("search \(search)") }
    return parts.joined(separator: ", ")
  }
}
