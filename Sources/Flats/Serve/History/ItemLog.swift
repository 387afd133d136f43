import Git
import HTTPTypes
import Store
import Streams

/// The commits that changed an item, as `notes-watch log -o jsonl` prints them.
struct ItemLog {
  /// The lines of the commits, without their ends.
  private var commits: [[UInt8]] = []
  private let id: Item.ID
  private let isShallow: Bool
  private var hasMore = false

  static let defaultLimit = 20
  static let maxLimit = 1_000
  /// The number of bytes after which no further commit is read.
  private static let maxSize = 8 << 20

  /// Reads the largest number of commits and the fields to show, which are empty for all.
  static func parameters(of target: RequestTarget) throws(ProblemDocument) -> (
    limit: Int, fields: [FieldPath]
  ) {
    let text = try target.value("limit")
    let limit = text.map { Int($0) ?? 0 } ?? defaultLimit
    guard (1...maxLimit).contains(limit) else {
      throw .parameter("limit", "limit: expected a number from 1 to \(maxLimit), found `\(text ?? "")`.")
    }
    let names = try target.value("fields") ?? ""
    do throws(SettingsError) {
      return (limit, try ViewDefinition(["fields": .string(names)]).fields ?? [])
    } catch {
      throw .parameter("fields", "\(error)")
    }
  }

  /// Reads the history of an item: 404 if no commit has it. Blocks.
  init(of id: Item.ID, in context: WebContext, limit: Int, showing fields: [FieldPath]) throws {
    self.id = id
    var history = try ItemHistory(
      of: id, in: context.path, showing: fields, options: context.store.options)
    isShallow = history.isShallow
    var size = 0
    while let entry = try history.next() {
      guard commits.count < limit, size < ItemLog.maxSize else {
        hasMore = true
        break
      }
      let commit = entry.commit
      let line = StreamEncoder.commit(
        ["commit": commit.id, "time": commit.date, "author": commit.author, "subject": commit.subject],
        id, from: entry.old, to: entry.new, entry.changes, entry.problem, showing: fields,
        isOldestKnown: entry.isOldestKnown
      ).dropLast()
      size += line.count
      commits.append(Array(line))
    }
    guard history.hasItem else {
      let name = String(id.description.prefix(200))
      throw ProblemDocument(
        .notFound, "No commit contains an item `\(name)`.", code: "unknown-item",
        members: ["id": .string(name)])
    }
  }

  var lines: [UInt8] { commits.flatMap { $0 + [UInt8(ascii: "\n")] } }

  /// One document: `{"id":…,"commits":[…]}`, with `"more":true` if there are older ones, and
  /// `"shallow":true` if the clone does not have all commits.
  var document: [UInt8] {
    var writer = JSONWriter()
    writer.raw("{\"id\":")
    writer.write(id.description)
    writer.raw(",\"commits\":[")
    writer.raw(bytes: Array(commits.joined(separator: [UInt8(ascii: ",")])))
    writer.raw("]")
    if hasMore { writer.raw(",\"more\":true") }
    if isShallow { writer.raw(",\"shallow\":true") }
    writer.raw("}\n")
    return writer.bytes
  }
}
