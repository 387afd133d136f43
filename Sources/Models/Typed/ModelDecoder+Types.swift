import Query
import Store
import Values

extension ModelDecoder {
  /// - Parameter bytes: Returns the bytes of an item's file now, to find the place of an error.
  init<Object: Decodable & Equatable & Sendable>(
    _ type: Object.Type, bytes: @escaping @Sendable (Item) -> [UInt8]?
  ) {
    let model = type as? any PlainModel.Type
    self.init(
      fields: { paths in model.map { ModelFields(of: $0, reading: paths) } ?? ModelFields() },
      hasStringIDs: model.map { ModelDecoder.hasStringIDs($0) } ?? false
    ) { item in
      do {
        let links = FoundLinks()
        let object = try item.decode(type, links: links)
        return .success(Model(value: object, links: links.ids))
      } catch {
        return .failure(Problem(decoding: item, as: type, error, bytes: bytes))
      }
    }
  }

  private static func hasStringIDs<Object: PlainModel>(_ type: Object.Type) -> Bool {
    Object.ID.self == String.self
  }
}

extension ModelFields {
  /// Asks the models for their keys, which runs the beginning of `init(from:)`, if a path may pass a link.
  init(of type: any PlainModel.Type, reading paths: [FieldPath]) {
    self.init(of: type, reading: paths.map { $0.field.keys[...] })
  }

  private init(of type: any PlainModel.Type, reading paths: [ArraySlice<String>]) {
    let longer = Dictionary(grouping: paths.filter { $0.count > 1 }) { $0[$0.startIndex] }
    let keys = longer.isEmpty ? nil : ModelKeys(of: type)
    var links: [String: ModelFields] = [:]
    for (key, paths) in longer {
      if let target = keys?.target(of: key) {
        links[key] = ModelFields(of: target, reading: paths.map { $0.dropFirst() })
      }
    }
    self.init(defaults: type.defaults, links: links, migration: ItemMigration(of: type))
  }
}

extension ItemMigration {
  /// Makes the migration of a model type; nil if the type has no `changes`.
  init?(of type: any PlainModel.Type) {
    let migration = ModelMigration(of: type)
    if migration.isEmpty { return nil }
    self.init(of: type) { migration.current($0) }
  }
}

extension Problem {
  /// Makes a problem at the line of the value that the error names.
  init(decoding item: Item, as type: Any.Type, _ error: any Error, bytes: (Item) -> [UInt8]?) {
    var (path, sentence) = Problem.reading(error)
    if let model = type as? any PlainModel.Type {
      path = ModelMigration(of: model).edits(of: item).pathInFile(path)
    }
    let place = Problem.place(of: path, in: item, bytes)
    let name = path.isEmpty ? "" : "\(path.joined(separator: ".")): "
    self.init(path: item.path, line: place.line, column: place.column, message: name + sentence)
  }

  /// Returns the coding path of an error, as far as the file has it, and a sentence.
  private static func reading(_ error: any Error) -> (path: [String], sentence: String) {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context): (path(context), "The field `\(key.stringValue)` is missing.")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      (path(context), context.debugDescription)
    default: ([], "The item cannot be decoded: \(error)")
    }
  }

  private static func path(_ context: DecodingError.Context) -> [String] {
    context.codingPath.map(\.stringValue)
  }

  private static func place(of path: [String], in item: Item, _ bytes: (Item) -> [UInt8]?) -> TextPlace {
    let start = TextPlace(line: 1, column: 1)
    // If the file was saved since, places have moved; it is decoded again in a moment.
    guard let format = TextFormat(pathExtension: PseudoField.ext.value(of: item).text),
      let bytes = bytes(item),
      let text = try? LocatedText(reading: bytes, as: format),
      (try? PackedValue(reading: bytes, as: format)) == item.fields
    else { return start }
    return path.isEmpty
      ? text.root.map { text.place(at: $0.fullRange.lowerBound) } ?? start
      : text.place(of: FieldPath(keys: path))
  }
}
