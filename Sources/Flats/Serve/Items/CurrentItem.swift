import HTTPTypes
import Printing
import Store
import Streams
import SystemPackage

/// An item with the bytes that its file has now. Its values are those of the bytes, so that the tag
/// names exactly what the client gets.
struct CurrentItem {
  /// The item. If the bytes cannot be read as an item, it has its last good values.
  let item: Item
  let text: ItemText
  /// Names the item's file and its bytes. Two items never have the same version, even if their bytes
  /// are equal.
  let version: String
  let problems: [Problem]

  var revision: ItemRevision {
    ItemRevision(
      path: item.path, fields: (try? text.fields.get()) ?? PackedValue(.map([:])), bytes: text.bytes)
  }

  /// Returns true if a row of a client has the values of this text.
  func has(_ revision: String) -> Bool {
    guard case .success = text.fields else { return false }
    return item.rowRevision == revision
  }

  /// The tag of the item, which covers everything that `json` shows. Linear.
  var tag: EntityTag { EntityTag(version: version, shown: json()) }

  var fields: Fields { item.fields.value.fields ?? [:] }

  /// Reads the file of an item. Blocks. 404 if there is no such item or its file is gone, 403 if the file
  /// must not be read, 503 if it cannot be read now.
  init(_ id: Item.ID, in store: ItemStore) throws(ProblemDocument) {
    let state = store.currentState
    guard let item = state.items[id.item] else { throw CurrentItem.unknown(id, in: state) }
    let bytes: [UInt8]
    do throws(Problem) {
      bytes = try store.fileBytes(at: item.path)
    } catch {
      throw CurrentItem.unreadable(item, error)
    }
    let format = TextFormat(pathExtension: PseudoField.split(item.path.description[...]).ext) ?? .yaml
    text = ItemText(bytes, as: format, limits: store.options.limits)
    version = CurrentItem.version(of: item.id, at: item.path, bytes)
    switch text.fields {
    case .success(let fields):
      self.item = Item(id: item.id, path: item.path, stamp: item.stamp, fields: fields)
      problems = state.problem(at: item.path).map { [$0] } ?? []
    case .failure(let error):
      self.item = item
      problems = [Problem(path: item.path, line: error.line, column: error.column, message: error.message)]
    }
  }

  /// Makes the item of a text that was written just now.
  init(_ id: Item.ID, at path: RelativePath, _ text: ItemText) {
    let fields = (try? text.fields.get()) ?? PackedValue(.map([:]))
    item = Item(
      id: id, path: path, stamp: FileStamp(size: UInt64(text.bytes.count), at: FileTime(seconds: 0)),
      fields: fields)
    self.text = text
    version = CurrentItem.version(of: id, at: path, text.bytes)
    problems = []
  }

  private static func version(of id: Item.ID, at path: RelativePath, _ bytes: [UInt8]) -> String {
    ContentDigest(of: Array(id.description.utf8) + [0] + path.bytes + [0] + bytes).text
  }

  /// The number of items up to which a similar id is searched. Any client can ask for any number of
  /// unknown ids, and other requests wait.
  static let maxComparedIDs = 2_000

  private static func unreadable(_ item: Item, _ problem: Problem) -> ProblemDocument {
    let isDenied = problem.error == .permissionDenied || problem.error == .notPermitted
    let status: HTTPResponse.Status =
      problem.error == nil ? .notFound : isDenied ? .forbidden : .serviceUnavailable
    return ProblemDocument(
      status, "The file of the item `\(item.id)` cannot be read: \(problem.message)", code: "unreadable",
      members: ["id": .string(item.id.description), "path": .string(item.path.description)],
      fields: status == .serviceUnavailable ? [.retryAfter: "1"] : [:])
  }

  static func unknown(_ id: Item.ID, in state: StoreState) -> ProblemDocument {
    let word = id.item.description
    let shown = word.utf8.count <= 200 ? word : "\(word.prefix(100))…"
    let nearest =
      state.items.count <= maxComparedIDs
      ? id.item.nearest(among: state.items.lazy.map(\.key))?.description : nil
    let advice = nearest.map { "Did you mean `\($0)`?" } ?? "GET /items lists the ids."
    var members: Fields = ["id": .string(shown)]
    members["nearest"] = nearest.map(Value.string)
    return ProblemDocument(
      .notFound, "There is no item `\(shown)`. \(advice)", code: "unknown-item", members: members)
  }

  /// The item as JSON. `members` come after those of the item, such as the token of an undo.
  func json(_ members: Fields = [:]) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw(bytes: ItemListWriter.json(of: item).dropLast())
    writer.field("problems", .list(problems.map(\.value)))
    writer.field("revision", item.rowRevision)
    writer.fields(members)
    writer.raw("}\n")
    return writer.bytes
  }
}

extension Problem {
  var value: Value {
    [
      "path": .string(path.description), "line": .integer(line), "column": .integer(column),
      "message": .string(message),
    ]
  }
}

extension Item {
  /// A short name for a version of the item: its path and all of its values, including those that a view does
  /// not show, but no comments. Linear in the size of the item. Names differ between two runs of the server,
  /// so that nobody can make two versions of the same name.
  var rowRevision: String {
    var hasher = Hasher()
    hasher.combine(path)
    fields.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return String(UInt64(bitPattern: Int64(hasher.finalize())), radix: 36)
  }
}
