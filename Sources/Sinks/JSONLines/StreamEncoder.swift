import DiffableSnapshot
import DirectoryWatch
package import PlainStore
package import PlainText

/// The lines of one stream, version 1. It counts the steps and keeps the last token, so that each reader has an encoder of its own.
package struct StreamEncoder: Sendable {
  /// The number of the last step; the first snapshot is 1.
  private var sequence = 0
  private var token = ""
  /// How many tokens there were: bookmarks have theirs without being steps.
  private var tokens = 0
  /// What tells this stream's tokens from those of any other.
  private let name = String(UInt64.random(in: .min ... .max), radix: 36)
  private let itemsPerLine: Int

  /// - Parameter itemsPerLine: a snapshot of more items than this comes in several lines.
  package init(itemsPerLine: Int = 1_000) {
    self.itemsPerLine = max(1, itemsPerLine)
  }

  /// Counts a step and gives its token.
  private mutating func advance() {
    sequence += 1
    moveToken()
  }

  private mutating func moveToken() {
    tokens += 1
    token = "\(name).\(String(tokens, radix: 36))"
  }

  package func hello(root: String, view: Fields) -> [UInt8] {
    JSONLine.make("hello") { line in
      line.field("root") { $0.write(root) }
      line.field("view") { $0.write(.map(view)) }
    }
  }

  /// The same before the one step between two states that have names, of which the reader is given no snapshot.
  package mutating func hello(root: String, view: Fields, from: Fields, to: Fields) -> [UInt8] {
    advance()
    return JSONLine.make("hello") { line in
      line.field("root") { $0.write(root) }
      line.field("view") { $0.write(.map(view)) }
      line.field("from") { $0.write(.map(from)) }
      line.field("to") { $0.write(.map(to)) }
    }
  }

  /// `code` is for programs (`gone`), `message` a sentence for people.
  package func error(code: String, message: String) -> [UInt8] {
    JSONLine.make("error") { line in
      line.field("code") { $0.write(code) }
      line.field("message") { $0.write(message) }
    }
  }

  /// Nothing for the reader, who is where it was; but it may go on from here.
  package mutating func bookmark() -> [UInt8] {
    moveToken()
    return JSONLine.make("bookmark") { line in
      line.field("seq") { $0.write(sequence) }
      line.field("token") { $0.write(token) }
    }
  }

  package static func problem(_ change: ProblemChange) -> [UInt8] {
    JSONLine.make("problem") { line in
      switch change {
      case .raised(let problem):
        line.field("state") { $0.write("raised") }
        line.field("path") { $0.write(problem.path.description) }
        line.field("line") { $0.write(problem.line) }
        line.field("column") { $0.write(problem.column) }
        line.field("message") { $0.write(problem.message) }
      case .cleared(let problem):
        line.field("state") { $0.write("cleared") }
        line.field("path") { $0.write(problem.path.description) }
      }
    }
  }

  /// What one commit did to one item.
  ///
  /// - Parameters:
  ///   - commit: what there is to say of the commit itself.
  ///   - isOldestKnown: true if a shallow clone ends with this commit, so that nothing is known of the item before it.
  package static func commit(
    _ commit: KeyValuePairs<StaticString, String>, _ id: Item.ID, from old: Item?, to new: Item?, _ changes: FieldChanges?,
    _ problem: Problem?, showing fields: [FieldPath], isOldestKnown: Bool = false
  ) -> [UInt8] {
    JSONLine.make("commit") { line in
      for (name, text) in commit { line.field(name) { $0.write(text) } }
      line.field("op") { $0.write(operation(from: old, to: new, changes)) }
      line.field("id") { $0.write(id.description) }
      if let path = (new ?? old)?.path { line.field("path") { $0.write(path.description) } }
      if let changes { line.field("fields") { $0.list(changes.pointers) { $0.write($1) } } }
      if let new { line.append { $0.writeValue(new.projected(fields)) } }
      if let changes { line.field("before") { $0.write(.map(changes.before)) } }
      if let problem { line.field("problem") { $0.write(problem.description) } }
      if isOldestKnown { line.field("shallow") { $0.write(true) } }
    }
  }

  /// `problem` where it could not be read before either.
  private static func operation(from old: Item?, to new: Item?, _ changes: FieldChanges?) -> String {
    if new == nil { return old == nil ? "problem" : "delete" }
    return changes == nil ? "insert" : "update"
  }

  /// The whole list: one line, or several `part`s for a large one. Each is handed to `write` as it is made, so that only one is in memory.
  package mutating func snapshot(_ snapshot: ResultsSnapshot, write: ([UInt8]) throws -> Void) rethrows {
    // A list that was given before is given again under the same number: nothing happened to it.
    if sequence == 0 { advance() }
    var parts = SnapshotParts(snapshot, itemsPerLine: itemsPerLine)
    var number = 1
    while let sections = parts.next() {
      let isLast = parts.isAtEnd
      let isWhole = isLast && number == 1
      let line = JSONLine.make("snapshot") { line in
        if !isWhole { line.field("part") { $0.write(number) } }
        if isLast {
          line.field("seq") { $0.write(sequence) }
          line.field("token") { $0.write(token) }
          line.field("count") { $0.write(snapshot.count) }
          if !isWhole { line.field("last") { $0.write(true) } }
        }
        line.field("sections") { $0.raw(bytes: sections) }
      }
      try write(line)
      number += 1
    }
  }

  /// One step, in one line.
  package mutating func update(_ update: ResultsUpdate, time: Timestamp) -> [UInt8] {
    let since = token
    advance()
    return JSONLine.make("update") { line in
      line.field("seq") { $0.write(sequence) }
      line.field("since") { $0.write(since) }
      line.field("token") { $0.write(token) }
      line.field("time") { $0.write(time.text) }
      line.field("origin") { $0.write(update.origin.rawValue) }
      line.field("count") { $0.write(update.new.count) }
      if !update.diff.sections.isEmpty {
        line.field("sections") { $0.list(update.diff.sections) { $0.write($1, titledIn: update.new) } }
      }
      line.field("changes") { $0.list(update.diff.changes) { $0.write($1, of: update) } }
    }
  }
}

/// One object of the stream, being written.
struct JSONLine {
  private var writer = JSONWriter()

  static func make(_ type: StaticString, _ body: (inout JSONLine) -> Void) -> [UInt8] {
    var line = JSONLine()
    line.writer.raw("{\"v\":1,\"type\":\"")
    line.writer.raw(type)
    line.writer.raw("\"")
    body(&line)
    line.writer.raw("}\n")
    return line.writer.bytes
  }

  /// Fields that the caller writes with their names.
  mutating func append(_ fields: (inout JSONWriter) -> Void) {
    writer.raw(",")
    fields(&writer)
  }

  mutating func field(_ name: StaticString, _ value: (inout JSONWriter) -> Void) {
    writer.raw(",\"")
    writer.raw(name)
    writer.raw("\":")
    value(&writer)
  }
}
