package import Store

/// The fields of a folder's items: how common each one is, the kind that most of its values have,
/// and the values themselves if they are few.
///
/// Forms, completions, `GET /fields` and the warnings of `set` use it. It reads at most 1,000 items,
/// spread over all of them, and at most 4 MB of their files, so that its cost does not grow with the
/// folder. A file above 128 kB is left out.
package struct FieldSurvey: Sendable {
  /// One field.
  package struct Field: Sendable, Hashable {
    /// The path of the field, through maps only.
    package let path: FieldPath
    /// The number of items that have it.
    package fileprivate(set) var count = 0
    fileprivate(set) var kinds: [ValueKind: Int] = [:]
    fileprivate(set) var elementKinds: [ValueKind: Int] = [:]
    fileprivate var choices: [Value]? = []
    /// The sum of its places in its maps.
    fileprivate var places = 0

    /// The kind of more than half of its values; nil if no kind is that frequent.
    package var kind: ValueKind? { kinds.majority }
    /// The kind of more than half of the elements of its lists; nil if no kind is that frequent.
    package var elementKind: ValueKind? { elementKinds.majority }

    fileprivate init(_ keys: [String]) {
      path = FieldPath(keys: keys)
    }
  }

  /// The maximum number of items that are read.
  package static let maxItems = 1_000
  /// The maximum size of a file that is read, and that of all of them together.
  static let maxSize = (file: 128 << 10, all: 4 << 20)
  private static let maxFields = 1_000
  static let maxDoubts = 100
  static let maxDepth = 4
  /// Several passes, so that what was read is spread over all items even if the sizes end the survey early.
  private static let passes = 8
  /// A field with more values than this has no choices.
  fileprivate static let maxChoices = 12
  /// A string longer than this is not a choice.
  fileprivate static let maxChoiceLength = 60
  static let maxElements = 100

  /// The fields, in the order of the files. The fields of a map follow the map.
  package let fields: [Field]
  /// The number of items that were read.
  package let count: Int
  /// The number of items that there are.
  package let total: Int
  /// The fields that no item needs to have to be known.
  let settings: Settings
  private let places: [[String]: Int]
  private let items: [Item.ID: Item]

  /// Reads items of a list.
  package init(_ snapshot: ListSnapshot<Item>, settings: Settings = Settings()) {
    self.init(of: snapshot.count, settings: settings) { snapshot[$0] }
  }

  /// Reads some of the given items.
  package init(items: [Item], settings: Settings = Settings()) {
    self.init(of: items.count, settings: settings) { items[$0] }
  }

  init(of total: Int, settings: Settings, _ read: (Int) -> Item?) {
    var survey = Reading()
    for number in FieldSurvey.sample(of: total) where survey.room > 0 {
      if let item = read(number) { survey.add(item) }
    }
    let means = survey.fields.mapValues { Double($0.places) / Double(max($0.count, 1)) }
    func rank(_ keys: [String]) -> [(mean: Double, key: String)] {
      keys.indices.map { (means[Array(keys[...$0])] ?? 0, keys[$0]) }
    }
    fields = survey.fields.map { (rank: rank($0.key), field: $0.value) }
      .sorted {
        $0.rank.lexicographicallyPrecedes($1.rank) {
          $0.mean == $1.mean ? $0.key < $1.key : $0.mean < $1.mean
        }
      }
      .map(\.field)
    places = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.path.keys, $0) })
    items = survey.items
    count = items.count
    // Where all was read, the others are no items: they are ignored, or cannot be read.
    self.total = total <= FieldSurvey.maxItems && !survey.isPartial ? items.count : total
    self.settings = settings
  }

  /// The fields of the items themselves, without those of maps.
  package var topLevel: [Field] { fields.filter { $0.path.keys.count == 1 } }

  /// The fields of the items themselves that at least half of the items have.
  package var common: [Field] { topLevel.filter { $0.count * 2 >= count } }

  /// True if items may have more fields than are here.
  var isFull: Bool { fields.count >= FieldSurvey.maxFields }

  func field(_ keys: [String]) -> Field? { places[keys].map { fields[$0] } }

  package func item(_ id: Item.ID) -> Item? { items[id] }

  private static func sample(of total: Int) -> [Int] {
    let chosen = total <= maxItems ? Array(0..<total) : (0..<maxItems).map { $0 * total / maxItems }
    return (0..<passes).flatMap { start in
      stride(from: start, to: chosen.count, by: passes).map { chosen[$0] }
    }
  }

  private struct Reading {
    private(set) var fields: [[String]: Field] = [:]
    private(set) var items: [Item.ID: Item] = [:]
    private(set) var room = FieldSurvey.maxSize.all
    /// True if an item was left out because of its size.
    private(set) var isPartial = false

    mutating func add(_ item: Item) {
      let size = Int(clamping: item.stamp.size)
      guard size <= min(FieldSurvey.maxSize.file, room) else {
        isPartial = true
        return
      }
      room -= max(size, 1)
      items[item.id] = item
      if case .map(let values) = item.fields.value { add(values, below: []) }
    }

    private mutating func add(_ map: Fields, below keys: [String]) {
      for (place, (key, value)) in map.enumerated() {
        let path = keys + [key]
        if fields[path] == nil, fields.count >= FieldSurvey.maxFields { continue }
        fields[path, default: Field(path)].add(value, at: place)
        if case .map(let inner) = value, path.count < FieldSurvey.maxDepth { add(inner, below: path) }
      }
    }
  }
}

extension FieldSurvey.Field {
  fileprivate mutating func add(_ value: Value, at place: Int) {
    count += 1
    places += place
    kinds.add(ValueKind(value))
    switch value {
    case .null: break
    case .list(let elements):
      for element in elements.prefix(FieldSurvey.maxElements) {
        elementKinds.add(ValueKind(element))
        addChoice(element)
      }
    case .map: choices = nil
    default: addChoice(value)
    }
  }

  private mutating func addChoice(_ value: Value) {
    guard let known = choices, !known.contains(value) else { return }
    let isChoice = value.isScalar && value.text.utf8.count <= FieldSurvey.maxChoiceLength
    choices = isChoice && known.count < FieldSurvey.maxChoices ? known + [value] : nil
  }

  /// The values of the field, in order; empty if they are many, or not those of a choice.
  package var values: [Value] { (choices ?? []).sorted { ValueOrder.compare($0, $1) < 0 } }

  /// The names of the types of its values for programs, the most frequent one first.
  package var typeNames: [String] {
    kinds.byFrequency.map(\.rawValue) + (kinds.total < count ? ["null"] : [])
  }
}

extension ItemStore {
  /// Returns the fields that the items of this store have. Reads at most `FieldSurvey.maxItems`.
  package func fieldSurvey() -> FieldSurvey {
    let state = currentState
    return FieldSurvey(items: state.items.entries.items, settings: state.settings)
  }
}

extension [ValueKind: Int] {
  var total: Int { values.reduce(0, +) }

  var majority: ValueKind? {
    let total = total
    return first { $0.value * 2 > total }?.key
  }

  fileprivate var byFrequency: [ValueKind] {
    ValueKind.allCases.filter { self[$0] != nil }.enumerated()
      .sorted { (self[$1.element] ?? 0, $0.offset) < (self[$0.element] ?? 0, $1.offset) }
      .map(\.element)
  }

  /// Counts a value of this kind; null is not counted.
  fileprivate mutating func add(_ kind: ValueKind?) {
    if let kind { self[kind, default: 0] += 1 }
  }

  mutating func remove(_ kind: ValueKind?) {
    guard let kind, let count = self[kind] else { return }
    self[kind] = count > 1 ? count - 1 : nil
  }
}

extension EditSession {
  /// Returns the fields that the items of this folder have.
  ///
  /// Lists the folder and reads at most `FieldSurvey.maxItems` of its files, spread over the sorted
  /// paths. Files that cannot be read as items are left out.
  package var fieldSurvey: FieldSurvey {
    let files = files
    var reader = FileReader(limits: limits)
    return FieldSurvey(of: files.count, settings: settings) { number in
      item(in: files[number], upTo: FieldSurvey.maxSize.file, &reader)
    }
  }
}
