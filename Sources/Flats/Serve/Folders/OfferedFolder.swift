import HTTPTypes
package import Store
import Streams

/// A folder of a server of several folders.
package struct OfferedFolder {
  /// The first part of its paths: the last part of the folder's path, made unique.
  package let name: String
  /// The absolute path, without symbolic links.
  package let path: String
  package let store: ItemStore
  /// The fields that make an item's id, as the configuration has them; nil for the default.
  package let idField: String?
  package let maxSize: Int

  package init(name: String, path: String, store: ItemStore, idField: String?, maxSize: Int) {
    self.name = name
    self.path = path
    self.store = store
    self.idField = idField
    self.maxSize = maxSize
  }

  /// The parts of paths that folders cannot have as their names.
  private static let reserved = ["assets", "folder", "health", "retry", "session", "status", ""]

  /// A name for the folder at a path. `used` has the names that other folders have, or had.
  package static func name(of path: String, besides used: Set<String>) -> String {
    let last = path.split(separator: "/").last.map(String.init) ?? "root"
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? last : "\(last)-\($0)" }
    return names.first { !reserved.contains($0) && !used.contains($0) } ?? last
  }

  /// Checks that a client means the list that the daemon has; a `mismatch` otherwise. `target` has `path`,
  /// the folder as the client has it; `name`, as its user typed it; `id-field` and `max-size` if the user
  /// gave them; the view as `view` and `named`.
  package func check(_ target: RequestTarget) throws(ProblemDocument) {
    let path = try target.value("path") ?? path
    if let size = try target.value("max-size"), Int(size) != maxSize {
      throw mismatch(
        "The daemon reads files of \(path) up to \(maxSize) bytes, not \(size). "
          + "Leave --max-size out, or change `max-size` in the daemon's configuration.")
    }
    if let text = try target.value("id-field") { try checkFields(text, path) }
    if let view = try target.value("view") {
      do throws(SettingsError) {
        _ = try store.settings.view(named: view)
      } catch {
        throw .badView(error, in: store, named: try target.value("name") ?? path)
      }
    }
  }

  private func checkFields(_ text: String, _ path: String) throws(ProblemDocument) {
    let (asked, own): ([FieldPath], [FieldPath])
    do throws(SettingsError) {
      asked = try ViewDefinition.idFields(text)
      own =
        try idField.map { own throws(SettingsError) in try ViewDefinition.idFields(own) }
        ?? store.settings.idFields
    } catch {
      throw ProblemDocument(.badRequest, "id-field: \(error.message)", code: "bad-request")
    }
    if asked == own { return }
    let rule =
      own.isEmpty ? "the paths of the files" : "the fields \(own.map { "`\($0)`" }.joined(separator: ", "))"
    throw mismatch(
      "The daemon makes the ids of \(path) of \(rule), not of `\(text)`. "
        + "Leave --id-field out, or change `id-field` in the daemon's configuration.")
  }

  private func mismatch(_ message: String) -> ProblemDocument {
    ProblemDocument(.conflict, message, code: "mismatch")
  }
}
