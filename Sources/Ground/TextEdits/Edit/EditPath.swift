/// The path from the root of a text to a value: one slot per key that exists, the root's slot first.
struct EditPath {
  private(set) var slots: [EditSlot]
  /// The keys below the last slot, which do not exist.
  private(set) var rest: ArraySlice<String>

  /// Where paths begin; nil if nothing is written.
  typealias Roots = (root: EditPlace?, body: EditPlace?)

  var last: EditSlot { slots[slots.count - 1] }

  /// Follows `keys` as far as they exist. Throws a refusal if an alias or a merge key provides the value.
  init(_ keys: [String], from roots: Roots) throws(TextEditError) {
    slots = [EditSlot(place: roots.root)]
    rest = keys[...]
    if let body = roots.body, keys.first == "body" {
      slots.append(EditSlot(place: body, isBody: true))
      rest.removeFirst()
    }
    while let key = rest.first, let place = last.place {
      let name: EditSlot.Name
      switch place.located.content {
      case .alias(let name): throw EditPath.refusal(ofAlias: name, place.located)
      case .map: name = EditSlot.Name(key: key)
      case .list: name = EditSlot.Name(elementOf: last.name)
      case .scalar: return
      }
      guard let index = place.index(of: key) else {
        try EditPath.checkMerge(key, place)
        return
      }
      slots.append(EditSlot(container: place, index: index, place: place.place(at: index), name: name))
      rest.removeFirst()
    }
  }

  private static func refusal(ofAlias name: String, _ value: LocatedValue) -> TextEditError {
    TextEditError(
      .alias,
      "This value is the alias *\(name). Edit the value at its anchor &\(name), or set the complete "
        + "value here.",
      at: value.range.lowerBound)
  }

  func checkNoAlias() throws(TextEditError) {
    if let value = last.value, case .alias(let name) = value.content {
      throw EditPath.refusal(ofAlias: name, value)
    }
  }

  private static func checkMerge(_ key: String, _ map: EditPlace) throws(TextEditError) {
    guard let merge = map.merge, map.reads(key) else { return }
    throw TextEditError(
      .mergeKey,
      "This value comes from another map through the merge key `<<`. Edit it there, or add the key to "
        + "this map by hand.",
      at: merge.keyRange.lowerBound)
  }
}

struct EditSlot {
  /// The list or the map; nil for the root and the body.
  var container: EditPlace?
  var index = 0
  let place: EditPlace?
  var name: Name?
  var isBody = false

  /// The name under which `YAMLStyle` records how values of the same kind are written.
  struct Name: Hashable {
    let key: String
    let isElement: Bool

    init(key: String) {
      self.key = key
      isElement = false
    }

    init(elementOf list: Name?) {
      key = list?.key ?? ""
      isElement = true
    }
  }

  var value: LocatedValue? { place?.located }

  var entry: LocatedEntry? { container?.located.entries?[index] }

  func range(touchedBy edit: TextEdit) -> Range<Int>? {
    guard let entry else { return value?.fullRange }
    switch edit {
    case .rename: return entry.keyRange
    case .remove: return entry.range
    default: return value?.fullRange
    }
  }

  var isInFlow: Bool { container.map { $0.located.style == .flow || $0.located.style == .pair } ?? false }
}

/// A value of a text. The edits of one pass share their places, so that each key is found once.
final class EditPlace {
  let located: LocatedValue
  /// The value as it is read, with aliases and merge keys resolved; nil if it is not known.
  let read: Value?
  var dashes: [Int]?
  var elementRanges: [Range<Int>]?
  private(set) lazy var itemRanges = located.itemRanges
  private(set) lazy var merge = located.entries?.first(where: \.isMerge)
  private lazy var entries = Dictionary(
    (located.entries ?? []).enumerated().filter { !$1.isMerge }.map { (ExactString($1.key), $0) },
    uniquingKeysWith: { first, _ in first })
  private lazy var fields = read?.fields.map(FieldIndex.init)
  private var places: [Int: EditPlace] = [:]

  init(_ located: LocatedValue, reading read: Value?) {
    self.located = located
    self.read = read
  }

  func index(of key: String) -> Int? {
    switch located.content {
    case .map: entries[ExactString(key)]
    case .list(let elements): Int(elementNumber: key).flatMap { elements.indices.contains($0) ? $0 : nil }
    case .scalar, .alias: nil
    }
  }

  func reads(_ key: String) -> Bool { fields?.place(of: key, near: 0) != nil }

  func place(at index: Int) -> EditPlace? {
    if let place = places[index] { return place }
    let place: EditPlace
    switch located.content {
    case .map(let map):
      let key = map[index].key
      let value = map[index].value
      place = EditPlace(value, reading: fields?.value(of: key, near: index))
    case .list(let elements):
      place = EditPlace(elements[index], reading: read?.child(ofKey: String(index)))
    case .scalar, .alias: return nil
    }
    places[index] = place
    return place
  }

  /// Returns the root and the text below it: for Markdown, the map of the front matter and the body.
  static func places(of text: LocatedText, reading value: Value) -> EditPath.Roots {
    guard text.format == .markdown else { return (text.root.map { EditPlace($0, reading: value) }, nil) }
    return (
      frontMatter(of: text).map { EditPlace($0, reading: value) },
      text.root?.entries?.last.map { EditPlace($0.value, reading: value["body"]) }
    )
  }

  private static func frontMatter(of text: LocatedText) -> LocatedValue? {
    guard let root = text.root, let range = text.frontMatter, let entries = root.entries?.dropLast() else {
      return nil
    }
    if root.style == .block, entries.isEmpty { return nil }
    let last = entries.last?.range.upperBound ?? root.range.lowerBound + 1
    var end = last
    if root.style == .flow {
      let layout = TextLayout(text.bytes, as: .markdown)
      end = layout.skip(last..<range.upperBound, comments: true)
      if text.bytes[end] == "," {
        end = layout.skip(end + 1..<range.upperBound, comments: true)
      }
      end += 1
    }
    return LocatedValue(
      content: .map(Array(entries)), style: root.style, range: root.range.lowerBound..<end,
      properties: root.properties,
      anchor: root.anchor,
      tag: root.tag)
  }
}
