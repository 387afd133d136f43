import PlainStore

/// The fields of the items of a list: how common they are, and what kind of value they have.
///
/// Reads only the first items, and no large ones, so that a menu opens at once.
struct FieldSurvey: Sendable {
  /// One field.
  struct Field: Hashable, Sendable {
    /// The path of the field: one key.
    let path: FieldPath
    /// The number of items that have it.
    fileprivate(set) var count = 0
    /// The kind of all of its values; nil if they are of several kinds.
    fileprivate(set) var kind: ValueKind?
    /// The kind of the elements of all of its lists; nil if they are of several kinds.
    fileprivate(set) var elementKind: ValueKind?
    fileprivate var hasValue = false
    fileprivate var hasElement = false
    /// The sum of its places in the items.
    fileprivate var places = 0

    fileprivate init(_ key: String) {
      path = FieldPath(keys: [key])
    }
  }

  /// The number of items that are read.
  private static let sampleSize = 256
  /// The maximum size of a file that is read, and that of all of them together.
  private static let maxSize = (file: 128 << 10, all: 2 << 20)
  /// The maximum number of fields.
  private static let maxFields = 200

  /// The fields, in the order of the files.
  let fields: [Field]
  /// The number of items that were read.
  let count: Int

  /// Reads the first items of a list.
  init(_ snapshot: ResultsSnapshot) {
    self.init(items: (0..<min(snapshot.count, FieldSurvey.sampleSize)).map { snapshot[$0] })
  }

  /// Reads the first of some items.
  init(items: [Item]) {
    var fields: [String: Field] = [:]
    var count = 0
    var room = FieldSurvey.maxSize.all
    for item in items.prefix(FieldSurvey.sampleSize) {
      guard item.size <= min(FieldSurvey.maxSize.file, room) else { continue }
      room -= item.size
      count += 1
      guard case .map(let values) = item.fields.value else { continue }
      for (place, (key, value)) in values.enumerated() {
        fields[key, default: Field(key)].add(value, at: place)
      }
    }
    self.count = count
    self.fields = fields.values.sorted(by: FieldSurvey.isBefore).prefix(FieldSurvey.maxFields).map { $0 }
  }

  /// The fields that at least half of the items have.
  var common: [Field] { fields.filter { $0.count * 2 >= count } }

  /// Returns true if a field comes before another one: by the mean place, then by name.
  private static func isBefore(_ a: Field, _ b: Field) -> Bool {
    let (first, second) = (a.places * b.count, b.places * a.count)
    return first == second ? a.path.description < b.path.description : first < second
  }
}

extension Item {
  /// The size of the file in bytes.
  fileprivate var size: Int { if case .number(.integer(let size)) = value(at: "@size") { size } else { 0 } }
}

extension FieldSurvey.Field {
  fileprivate mutating func add(_ value: Value, at place: Int) {
    count += 1
    places += place
    guard let kind = ValueKind(value) else { return }
    self.kind = hasValue && self.kind != kind ? nil : kind
    hasValue = true
    guard case .list(let elements) = value else { return }
    for element in elements {
      let kind = ValueKind(element)
      elementKind = hasElement && elementKind != kind ? nil : kind
      hasElement = true
    }
  }
}

/// The kind of a value, as a form names it.
enum ValueKind: String, Sendable, CaseIterable {
  case string
  case number
  case boolean
  case date
  case list
  case map

  /// The kind of a value; nil for null, which is the value of any field.
  init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .number: self = .number
    case .date: self = .date
    case .string: self = .string
    case .list: self = .list
    case .map: self = .map
    }
  }
}
