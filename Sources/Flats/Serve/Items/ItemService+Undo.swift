import HTTPTypes
import Printing
import Store

extension ItemService {
  /// Answers `POST /undo`. The undo is made only if each file is as the save left it.
  func undo(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.checkMediaType()
    try request.target.allowOnly([])
    let body = try await request.object(context, ["undo"])
    guard let token = body["undo"]?.jsonString else {
      throw .member("undo", "`undo` must be the token of a change.")
    }
    return try await settled(request, for: nil, isLarge: memory.isLargeUndo(token)) {
      () async throws(ProblemDocument) in
      guard let entry = memory.removeUndo(token) else {
        throw ProblemDocument(
          .notFound, "There is no change with this token: it was undone already, or it is too old.",
          code: "unknown-undo")
      }
      let outcome: SaveOutcome
      do throws(ProblemDocument) {
        outcome = try await save(EditScope(undoing: entry.outcomes))
      } catch {
        memory.putUndo(entry, token)
        throw error
      }
      guard let error = outcome.error else { return undone(entry, outcome) }
      memory.putUndo(entry, token)
      throw error.code == .conflict ? ItemService.refusal(of: entry, error) : ProblemDocument(error)
    }
  }

  private func undone(_ entry: ItemMemory.Undo, _ outcome: SaveOutcome) -> ServerResponse {
    var document: Fields = ["undone": .string(entry.title)]
    let title =
      entry.title.hasPrefix("undo of ")
      ? String(entry.title.dropFirst("undo of ".count)) : "undo of \(entry.title)"
    if let token = memory.addUndo(title, outcome) {
      document["undo"] = .string(token)
      document["undoes"] = .string(title)
    }
    var fields: HTTPFields = [.contentType: "application/json"]
    var writer = JSONWriter()
    writer.raw(bytes: Array(JSONWriter.text(of: .map(document)).utf8.dropLast()))
    writer.raw(",\"items\":[")
    if let text = outcome.newText, let path = outcome.path, path != PathRules.settingsPath {
      let current = CurrentItem(outcome.newID, at: path, text)
      memory.remember(current)
      fields[.eTag] = "\(current.tag)"
      writer.raw(bytes: current.json().dropLast())
    }
    writer.raw("]}\n")
    return ServerResponse(.ok, fields, .bytes(writer.bytes))
  }

  /// The largest texts that are compared, in bytes.
  private static let maxDifferenceSize = 4 << 20

  private static func refusal(of entry: ItemMemory.Undo, _ error: EditError) -> ProblemDocument {
    var members: Fields = ["id": .string(error.id.description)]
    if let conflict = error.conflict,
      (conflict.expected?.count ?? 0) + (conflict.found?.count ?? 0) <= maxDifferenceSize
    {
      let path = error.path?.bytes ?? Array(error.id.description.utf8)
      let difference = UnifiedDiff(of: path, from: conflict.expected, to: conflict.found)
      members["difference"] = .string(String(decoding: difference.bytes, as: UTF8.self))
    }
    return ProblemDocument(
      .conflict, "The \(entry.title) cannot be undone. \(error.message)", code: "changed-since",
      members: members)
  }
}
