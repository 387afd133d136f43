import Store
import Values

extension FieldSurvey {
  /// The number of fields that are reported.
  private static let maxReported = 200

  /// Returns the document of `GET /fields`, with the views of the settings.
  func document(_ settings: Settings) -> Fields {
    let views = settings.views.sorted { $0.key < $1.key }.map { name, view in
      Value.map(["name": .string(name), "view": .map(view.written)])
    }
    return ["fields": .list(fields.prefix(FieldSurvey.maxReported).map(\.document)), "views": .list(views)]
  }
}

extension FieldSurvey.Field {
  fileprivate var document: Value {
    var document: Fields = ["path": .string(path.description), "types": .list(typeNames.map(Value.string))]
    if let kind { document["type"] = .string(kind.rawValue) }
    if let elementKind { document["elementType"] = .string(elementKind.rawValue) }
    if !values.isEmpty { document["values"] = .list(values) }
    return .map(document)
  }
}
