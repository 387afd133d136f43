import HTTPTypes
import Store
import Streams

extension ItemService {
  /// Answers `PUT /view`: saves a view in the settings of the folder. The body is a view as a stream is asked
  /// for one; what it searches is left out, and that of the view on which it is based stays.
  func putView(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.checkMediaType()
    try request.target.allowOnly(["name"])
    let name = try request.needed("name")
    guard let condition = try TagCondition(.ifMatch, in: request.head.headerFields) else {
      throw ProblemDocument(
        .preconditionRequired,
        "Say which settings this view is based on: send If-Match with `settings` of GET /fields.",
        code: "precondition-required")
    }
    var parameters = try await request.requestedView(context).parameters
    (parameters.own.search, parameters.own.query) = (nil, nil)
    let asked = parameters.over(context.base)
    return try await settled(request, for: nil) { () async throws(ProblemDocument) in
      let file: SettingsFile
      do throws(Problem) {
        file = try store.settingsFile()
      } catch {
        throw .settings(error)
      }
      guard condition.matches(version: file.tag.opaque) else { throw .changedSettings }
      let view = try asked.definition(in: file.settings)
      let outcome: SaveOutcome
      do {
        outcome = try await store.saveView(view, as: name, in: file)
      } catch let error as EditError {
        throw error.code == .conflict ? .changedSettings : ProblemDocument(error)
      } catch let error as StoreError {
        throw ProblemDocument(error)
      } catch {
        throw (error as? Problem).map { .settings($0) } ?? .unavailable("\(error)")
      }
      var members: Fields = ["name": .string(name), "view": .map(view.written)]
      // The tag of the text that was saved: another program may have changed the file since.
      members["settings"] = .string("\(EntityTag(ofSettings: outcome.newText?.bytes ?? file.bytes))")
      let title = "view \(name)"
      if let token = memory.addUndo(title, outcome) {
        members["undo"] = .string(token)
        members["undoes"] = .string(title)
      }
      if !outcome.warnings.isEmpty { members["warnings"] = .list(outcome.warnings.map(Value.string)) }
      return ServerResponse(json: members)
    }
  }
}

extension SettingsFile {
  var tag: EntityTag { EntityTag(ofSettings: bytes) }
}

extension EntityTag {
  /// Names the text of the settings file. The tag of no file differs from that of an empty one.
  fileprivate init(ofSettings bytes: [UInt8]?) {
    self.init(opaque: bytes.map { ContentDigest(of: $0).text } ?? "none")
  }
}

extension ProblemDocument {
  fileprivate static var changedSettings: ProblemDocument {
    ProblemDocument(
      .preconditionFailed,
      "The settings were changed in the meantime, so the view was not saved. Look at it, and save it again.",
      code: "changed-since")
  }

  fileprivate static func settings(_ problem: Problem) -> ProblemDocument {
    ProblemDocument(.unprocessableContent, "\(problem)", code: "settings")
  }
}
