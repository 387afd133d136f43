import Git
import HTTPTypes
import Store
import Streams
import Values

/// A request for the history of an item.
struct LogQuery: Sendable {
  /// The id.
  let id: Item.ID
  /// The largest number of commits.
  let limit: Int
  /// The fields to show; empty for all.
  let fields: [FieldPath]

  /// The number of commits if the client gives none.
  static let defaultLimit = 20
  /// The largest number of commits.
  static let maxLimit = 1_000

  /// Reads the parameters of a target.
  init(_ id: Item.ID, _ target: RequestTarget) throws(ProblemDocument) {
    self.id = id
    let text = try target.value("limit")
    limit = text.map { Int($0) ?? 0 } ?? LogQuery.defaultLimit
    guard (1...LogQuery.maxLimit).contains(limit) else {
      throw ProblemDocument(
        .badRequest, "limit: expected a number from 1 to \(LogQuery.maxLimit), found `\(text ?? "")`.",
        members: ["parameter": "limit"])
    }
    let names = try target.value("fields") ?? ""
    do throws(SettingsError) {
      fields = try ViewDefinition(["fields": .string(names)]).fields ?? []
    } catch {
      throw ProblemDocument(.badRequest, "\(error)", members: ["parameter": "fields"])
    }
  }
}

/// The commits that changed an item, as `notes-watch log -o jsonl` prints them.
struct ItemLog: Sendable {
  /// The lines of the commits, without their ends.
  private var commits: [[UInt8]] = []
  private let id: Item.ID
  private let isShallow: Bool
  /// True if there are older commits.
  private var hasMore = false

  /// The number of bytes after which no further commit is read.
  private static let maxSize = 8 << 20

  /// Reads the history of an item. Blocks.
  ///
  /// - Throws: `ProblemDocument` (404) if no commit has the item, `GitError`.
  init(_ query: LogQuery, in context: WebContext) async throws {
    id = query.id
    var history = try await ItemHistory(
      of: query.id, in: context.path, showing: query.fields, options: context.store.options)
    isShallow = history.isShallow
    var size = 0
    while let entry = try history.next() {
      guard commits.count < query.limit, size < ItemLog.maxSize else {
        hasMore = true
        break
      }
      let line = Array(ItemLog.line(entry, query).dropLast())
      size += line.count
      commits.append(line)
    }
    guard history.hasItem else {
      throw ProblemDocument(
        .notFound, "No commit contains an item `\(query.id.description.prefix(200))`.", code: "unknown-item",
        members: ["id": .string(String(query.id.description.prefix(200)))])
    }
  }

  private static func line(_ entry: ItemHistory.Entry, _ query: LogQuery) -> [UInt8] {
    let commit = entry.commit
    return StreamEncoder.commit(
      ["commit": commit.id, "time": commit.date, "author": commit.author, "subject": commit.subject],
      query.id, from: entry.old,
      to: entry.new, entry.changes, entry.problem, showing: query.fields, isOldestKnown: entry.isOldestKnown)
  }

  /// The lines, newest first.
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
