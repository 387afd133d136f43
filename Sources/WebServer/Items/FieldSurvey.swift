import DirectoryWatch
import HashTreeCollections
import PlainStore
import PlainText

/// The fields that items have, for lists of choices: their paths, the types of their values, and
/// the values themselves if they are few. A sample of the items is read.
struct FieldSurvey {
  /// The number of items that are read.
  private static let maxItems = 1_000
  /// The number of fields that are reported.
  private static let maxFields = 200
  /// The number of levels of maps that are read.
  private static let maxDepth = 4
  /// A field with more values than this is reported without values.
  private static let maxValues = 12
  /// A string longer than this is not a choice.
  private static let maxLength = 60

  /// The types and values found for one field.
  fileprivate struct Field {
    var path: FieldPath
    var types: [String] = []
    var values: [Value] = []
    var isChoice = true
  }

  private var fields: [Field] = []
  private var places: [FieldPath: Int] = [:]

  /// Reads the fields of items.
  init(of items: ItemTable) {
    let step = max(1, items.count / FieldSurvey.maxItems)
    for (number, (_, item)) in items.enumerated() where number % step == 0 {
      if case .map(let fields) = item.fields.value { add(fields, below: []) }
    }
  }

  private mutating func add(_ map: Fields, below keys: [String]) {
    for (key, value) in map {
      let path = FieldPath(keys: keys + [key])
      guard let place = places[path] ?? newPlace(of: path) else { continue }
      fields[place].add(value)
      if case .map(let inner) = value, keys.count + 1 < FieldSurvey.maxDepth { add(inner, below: keys + [key]) }
    }
  }

  private mutating func newPlace(of path: FieldPath) -> Int? {
    guard fields.count < FieldSurvey.maxFields else { return nil }
    places[path] = fields.count
    fields.append(Field(path: path))
    return fields.count - 1
  }

  /// Returns the document of the route, with the views of the settings.
  func document(_ settings: Settings) -> Fields {
    let views = settings.views.sorted { $0.key < $1.key }.map { name, view in
      Value.map(["name": .string(name), "view": .map(view.written)])
    }
    return ["fields": .list(fields.map(\.document)), "views": .list(views)]
  }
}

extension FieldSurvey.Field {
  fileprivate mutating func add(_ value: Value) {
    let type = value.typeName
    if !types.contains(type) { types.append(type) }
    switch value {
    case .null: break
    case .list(let elements): for element in elements.prefix(100) { addChoice(element) }
    case .map: isChoice = false
    default: addChoice(value)
    }
  }

  private mutating func addChoice(_ value: Value) {
    guard isChoice, !values.contains(value) else { return }
    guard value.isScalar, value.text.utf8.count <= FieldSurvey.maxLength, values.count < FieldSurvey.maxValues else {
      isChoice = false
      values = []
      return
    }
    values.append(value)
  }

  fileprivate var document: Value {
    var document: Fields = ["path": .string(path.description), "types": .list(types.map(Value.string))]
    if isChoice, !values.isEmpty { document["values"] = .list(values.sorted { ValueOrder.compare($0, $1) < 0 }) }
    return .map(document)
  }
}

extension Value {
  /// The name of the value's type for programs.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .date: "date"
    case .string: "string"
    case .list: "list"
    case .map: "map"
    }
  }
}
