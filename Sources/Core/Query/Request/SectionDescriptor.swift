public import Values

/// A rule that divides a list into sections, and the order and the titles of the sections.
///
/// The rule is the value of a field, the first letter of its text, each element of a list field, or
/// a function of the item.
///
/// ```swift
/// let byKind: SectionDescriptor = "-kind"
/// let byGroup = SectionDescriptor("group", order: ["friends"])
/// let byLetter = SectionDescriptor("name", by: .firstLetter)
/// let byTag = SectionDescriptor("tags", by: .element)
/// let bySize = SectionDescriptor(by: { $0.id.description.count > 9 ? "long" : "short" })
/// ```
public struct SectionDescriptor: Sendable, Hashable {
  /// The field whose value names the section of an item; nil if a function names it.
  package var path: FieldPath?
  /// The way in which the field's value names the sections.
  package var grouping: Grouping
  /// True if the sections that `order` does not name are in descending order.
  package var isDescending: Bool
  /// The sections that come first, in this order. They are in the list even if they are empty.
  package var order: [SectionID]
  /// The titles of sections. A section without one is shown by its id.
  package var titles: [SectionID: String]
  package let function: ItemFunction<String?>?

  /// The way in which a field's value names the sections of an item.
  public struct Grouping: Hashable, Sendable, CustomStringConvertible {
    /// One section for each value. An item whose value is missing or null is in the section `""`,
    /// which comes last in both directions. For `@dir` it is that of the root, and comes first.
    public static let value = Grouping(.value)
    /// One section for each first letter, as a capital: `É` for `élan`. Texts that do not begin
    /// with a letter, and items without one, are in the section `#`, which comes last.
    public static let firstLetter = Grouping(.firstLetter)
    /// One section for each element of a list. An item with the list `[a, b]` is in both sections,
    /// an item without elements is in the section `""`.
    ///
    /// An element that the list has several times counts once. A value that is not a list counts as
    /// its only element. The list knows each occurrence by its own id (`Item.ID.section`).
    public static let element = Grouping(.element)

    // It is compared for each item, so the name alone would be slow.
    private enum Name: String {
      case value, firstLetter, element
    }

    private let name: Name

    private init(_ name: Name) {
      self.name = name
    }

    /// The name of the grouping, such as `firstLetter`.
    public var description: String { name.rawValue }
  }

  /// Creates a descriptor for a field.
  public init(
    _ path: FieldPath, by grouping: Grouping = .value, descending: Bool = false, order: [SectionID] = [],
    titles: [SectionID: String] = [:]
  ) {
    self.path = path
    self.grouping = grouping
    isDescending = descending
    self.order = order
    self.titles = titles
    function = nil
  }

  /// Creates a descriptor for a function of the item.
  ///
  /// Descriptors with functions are equal only if one is a copy of the other. So make one once and
  /// keep it: another instance makes the list's sections again.
  ///
  /// - Parameter name: Returns the name of an item's section; nil counts as `""`. It runs outside
  ///   of all locks, once each time an item that the request matches changed. It may run again for
  ///   an unchanged item, so it should have no effects.
  public init(
    by name: @escaping @Sendable (Item) -> String?, descending: Bool = false, order: [SectionID] = [],
    titles: [SectionID: String] = [:]
  ) {
    self.init(ItemFunction { item, _ in name(item) }, descending: descending, order: order, titles: titles)
  }

  /// Creates a descriptor for a function that may need the model of the item.
  package init(
    _ function: ItemFunction<String?>, descending: Bool, order: [SectionID], titles: [SectionID: String]
  ) {
    self.function = function
    path = nil
    grouping = .value
    isDescending = descending
    self.order = order
    self.titles = titles
  }

  /// Returns the section of an item for a field's value: its text, or `""` if that is missing or
  /// null. Numbers of the same value (`3.1` and `3.10`) have one section.
  package func sectionID(of item: some FieldSource) -> SectionID {
    sectionID(of: path.flatMap { item.value(at: $0) })
  }

  /// Returns the sections of an item: one, or several for `Grouping.element`. None is twice.
  package func sectionIDs(of item: some FieldSource, _ derived: DerivedValues?) -> [SectionID] {
    if function != nil { return [SectionID(derived?.section ?? "")] }
    guard hasOccurrences, let path else { return [sectionID(of: item)] }
    guard case .list(let elements)? = item.value(at: path) else {
      return [sectionID(of: item.value(at: path))]
    }
    var seen: Set<SectionID> = []
    let ids = elements.map { SectionID($0.idText) }.filter { seen.insert($0).inserted }
    return ids.isEmpty ? [""] : ids
  }

  /// True if an item can be in several sections.
  package var hasOccurrences: Bool { function == nil && path != nil && grouping == .element }

  private func sectionID(of value: Value?) -> SectionID {
    let text = value?.idText ?? ""
    return grouping == .firstLetter
      ? SectionID(text.indexLetter ?? SectionDescriptor.noLetter) : SectionID(text)
  }

  /// The section of texts that do not begin with a letter.
  private static let noLetter = "#"

  /// The section that comes after all others in both directions, unless `order` names it: that of
  /// items without a value. The root among folders isn't such a section.
  var lastID: SectionID? {
    if grouping == .firstLetter { return SectionID(SectionDescriptor.noLetter) }
    return path.flatMap(PseudoField.init) == .dir ? nil : ""
  }
}

extension SectionDescriptor: ExpressibleByStringInterpolation {
  /// Creates a descriptor for a field: `"group"`, `"-group"` for descending order.
  ///
  /// A malformed literal is a mistake in the program: it traps with the reason.
  public init(stringLiteral text: String) { self.init(literal: text) { FieldPath(stringLiteral: $0) } }

  /// Creates a descriptor for a field from a literal with values, which are data. See `FieldPath`.
  public init(stringInterpolation parts: FieldPath.StringInterpolation) {
    self.init(literal: parts.text) { parts.path(of: $0) { FieldPath(stringLiteral: $0) } }
  }

  private init(literal text: String, _ path: (String) -> FieldPath) {
    let isDescending = text.unicodeScalars.first == "-"
    self.init(path(isDescending ? String(text.unicodeScalars.dropFirst()) : text), descending: isDescending)
  }
}

extension SectionDescriptor: CustomStringConvertible {
  /// The field, the grouping if it is not by value, and the named sections: `group`, `-group`,
  /// `name by firstLetter`, `group (friends, work)`.
  public var description: String {
    let rule = path.map { grouping == .value ? $0.description : "\($0) by \(grouping)" } ?? "function"
    let names = order.isEmpty ? "" : " (\(order.map(\.description).joined(separator: ", ")))"
    return (isDescending ? "-" : "") + rule + names
  }
}

/// The order of sections: first those that the request names, then the others by id, in string
/// order, and last the section of items without a value or a first letter.
package struct SectionOrder {
  private let descriptor: SectionDescriptor?
  private let ranks: [SectionID: Int]
  /// The sections that exist even if they are empty. Without a section descriptor, the only section.
  package let named: [SectionID]

  package init(_ descriptor: SectionDescriptor?) {
    self.descriptor = descriptor
    var ranks: [SectionID: Int] = [:]
    var named: [SectionID] = []
    for id in descriptor?.order ?? [""] where ranks[id] == nil {
      ranks[id] = named.count
      named.append(id)
    }
    self.ranks = ranks
    self.named = named
  }

  package func sectionIDs(of item: some FieldSource, _ derived: DerivedValues?) -> [SectionID] {
    descriptor?.sectionIDs(of: item, derived) ?? [""]
  }

  /// True if there is more than the one section of lists without a descriptor.
  package var hasSections: Bool { descriptor != nil }

  package var hasOccurrences: Bool { descriptor?.hasOccurrences ?? false }

  package func isNamed(_ id: SectionID) -> Bool { ranks[id] != nil }

  /// This is not cached, because a list has few sections compared to its items.
  package func key(of id: SectionID) -> SortKey {
    var builder = SortKeyBuilder()
    // Items without a value, and texts without a first letter, come last in both directions.
    let isLast = id == descriptor?.lastID
    builder.append(.integer(ranks[id] ?? (isLast ? named.count + 1 : named.count)))
    if ranks[id] == nil {
      builder.append(.string(id.description), descending: descriptor?.isDescending ?? false)
    }
    return builder.finish()
  }
}

extension String {
  /// The title of a text at the edge of a long list, its first character as a capital: `É` for `élan`, in
  /// either encoding of the accent; nil if the text is empty. White space at the start does not count.
  package var indexTitle: String? {
    guard let first = drop(while: \.isWhitespace).first, let scalar = first.unicodeScalars.first else {
      return nil
    }
    // Title case, so that `Ǆ` becomes `ǅ`. The first one of a letter that becomes two, such as `ß`.
    let capital =
      scalar.properties.titlecaseMapping + String(String.UnicodeScalarView(first.unicodeScalars.dropFirst()))
    return capital.first.map { String($0) }
  }

  /// The first letter as a capital, in one encoding; nil if the text does not begin with a letter.
  var indexLetter: String? {
    guard let title = indexTitle, title.first?.isLetter == true else { return nil }
    return title.utf8.count == 1 ? title : title.precomposed
  }
}
