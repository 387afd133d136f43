package import Store

/// Encodes the lines of one stream of version 1. It counts the steps and keeps the last token, so
/// each reader needs its own encoder.
///
/// To try a step that may fail, encode it with a copy, and keep the copy if the step succeeded. The
/// number of a failed step is used again; its token is not.
package struct StreamEncoder: Sendable {
  package var positions: StreamPositions
  private let itemsPerLine: Int

  package var position: StreamPosition { positions.current }

  /// Makes an encoder at the start of a stream, or after the last step that the reader has. A snapshot
  /// with more items than `itemsPerLine` is split into several lines.
  package init(
    itemsPerLine: Int = 1_000, at position: StreamPosition? = nil, tokens: TokenSource = TokenSource()
  ) {
    self.itemsPerLine = max(1, itemsPerLine)
    positions = StreamPositions(at: position, tokens: tokens)
  }

  /// Returns the first line of a live stream, with the position from which it continues, if it does.
  package static func hello(root: String, view: Fields, since: StreamPosition? = nil) -> [UInt8] {
    JSONWriter.line("hello") { line in
      line.field("root", root)
      line.field("view", .map(view))
      if let since {
        line.field("since", since.token)
        line.field("seq", since.seq)
      }
    }
  }

  /// Returns the first line of a comparison of two named states. It counts as the first step,
  /// because no snapshot follows.
  package mutating func hello(root: String, view: Fields, from: Fields, to: Fields) -> [UInt8] {
    positions.advance()
    return JSONWriter.line("hello") { line in
      line.field("root", root)
      line.field("view", .map(view))
      line.field("from", .map(from))
      line.field("to", .map(to))
    }
  }

  /// Returns an error line: a word for programs, one for the reason if there are several, and a
  /// sentence.
  package static func error(code: String, why: String? = nil, message: String) -> [UInt8] {
    JSONWriter.line("error") { line in
      line.field("code", code)
      if let why { line.field("why", why) }
      line.field("message", message)
    }
  }

  package static func error(_ failure: ResumeFailure) -> [UInt8] {
    error(code: "gone", why: failure.reason.rawValue, message: failure.description)
  }

  /// Returns a line with a sentence for people.
  package static func message(_ text: String) -> [UInt8] {
    JSONWriter.line("message") { line in line.field("text", text) }
  }

  /// Returns a bookmark line: the list did not change, and the stream can be resumed from here. The
  /// token stays as the answer to a reader that resumes and missed nothing.
  package mutating func bookmark(keepsToken: Bool = false) -> [UInt8] {
    if !keepsToken { positions.moveToken() }
    return JSONWriter.line("bookmark") { line in
      line.field("seq", position.seq)
      line.field("token", position.token)
    }
  }

  package static func problem(_ change: ProblemChange) -> [UInt8] {
    JSONWriter.line("problem") { line in
      switch change {
      case .raised(let problem):
        line.field("state", "raised")
        line.field("path", problem.path.description)
        line.field("line", problem.line)
        line.field("column", problem.column)
        line.field("message", problem.message)
        if problem.path == .root { line.field("missing", true) }
      case .cleared(let problem):
        line.field("state", "cleared")
        line.field("path", problem.path.description)
      }
    }
  }

  /// Returns the line of one commit that changed an item, or made a version that cannot be read. The
  /// changed fields are nil if the item was added or removed. If a shallow clone ends with this commit,
  /// nothing is known of the item before it.
  package static func commit(
    _ commit: KeyValuePairs<StaticString, String>, _ id: Item.ID, from old: Item?, to new: Item?,
    _ changes: FieldChanges?,
    _ problem: Problem?, showing fields: [FieldPath], isOldestKnown: Bool = false
  ) -> [UInt8] {
    JSONWriter.line("commit") { line in
      for (name, text) in commit { line.field(name) { $0.write(text) } }
      line.field("op", operation(from: old, to: new, changes))
      line.field("id", id.description)
      if let path = (new ?? old)?.path { line.field("path", path.description) }
      if let changes { line.field("fields") { $0.list(changes.pointers) { $0.write($1) } } }
      if let new {
        line.raw(",")
        line.writeValue(of: new, showing: fields)
      }
      if let changes { line.field("before", .map(changes.before)) }
      if let problem { line.field("problem", problem.description) }
      if isOldestKnown { line.field("shallow", true) }
    }
  }

  /// `problem` if the item could not be read before the commit either.
  private static func operation(from old: Item?, to new: Item?, _ changes: FieldChanges?) -> String {
    if new == nil { return old == nil ? "problem" : "delete" }
    return changes == nil ? "insert" : "update"
  }

  /// Returns the lines of the complete list: one line, or several with `part` for a large list.
  package mutating func pieces(of snapshot: ListSnapshot<Item>) -> OutputPieces {
    positions.begin(with: snapshot)
    let parts = SnapshotPart.parts(of: snapshot, itemsPerLine: itemsPerLine)
    let position = position
    return OutputPieces(parts.count) { number in
      let isLast = number == parts.count - 1
      return JSONWriter.line("snapshot") { line in
        if parts.count > 1 { line.field("part", number + 1) }
        if isLast {
          line.field("seq", position.seq)
          line.field("token", position.token)
          line.field("count", snapshot.count)
          if parts.count > 1 { line.field("last", true) }
        }
        line.field("sections") { $0.list(parts[number]) { $0.write($1, of: snapshot) } }
      }
    }
  }

  /// Returns one line per change of an update, and per entry that it takes back.
  package static func changes(of update: ListUpdate<Item>) -> [UInt8] {
    var writer = JSONWriter()
    for change in update.diff.changes {
      writer.write(change, of: update)
      writer.raw("\n")
    }
    for entry in update.takenBack {
      writer.write(entry, in: update.new, isMarked: true)
      writer.raw("\n")
    }
    return writer.bytes
  }

  package mutating func update(_ update: ListUpdate<Item>, time: Timestamp) -> [UInt8] {
    var line: [UInt8] = []
    pieces(of: update, time: time).forEach { line = line.isEmpty ? $1 : line + $1 }
    return line
  }

  package mutating func pieces(of update: ListUpdate<Item>, time: Timestamp) -> OutputPieces {
    let since = position.token
    positions.advance(with: update)
    let line = JSONWriter.line("update") { line in
      line.field("seq", position.seq)
      line.field("since", since)
      line.field("token", position.token)
      line.field("time", time.text)
      line.field("origin", update.origin.description)
      // A reader cannot distinguish the first update of a sequence from one after a rescan.
      line.field("cause", (update.cause == .first ? .rescanned : update.cause).description)
      line.field("count", update.new.count)
      if !update.diff.sections.isEmpty {
        line.field("sections") { $0.list(update.diff.sections) { $0.write($1, titledIn: update.new) } }
      }
      line.field("changes") { $0.raw("[") }
    }
    return StreamEncoder.pieces(of: update, after: Array(line.dropLast(StreamEncoder.lineEnd.count)))
  }

  private static let lineEnd = Array("}\n".utf8)
  private static let changesPerPiece = 512

  /// Returns the changes of an update after the start of its line, and the end of the line.
  private static func pieces(of update: ListUpdate<Item>, after start: [UInt8]) -> OutputPieces {
    let changes = update.diff.changes
    let count = max(1, (changes.count + changesPerPiece - 1) / changesPerPiece)
    return OutputPieces(count) { number in
      var writer = JSONWriter()
      if number == 0 { writer.raw(bytes: start) }
      for index in number * changesPerPiece..<min(changes.count, (number + 1) * changesPerPiece) {
        if index > 0 { writer.raw(",") }
        writer.write(changes[index], of: update)
      }
      if number == count - 1 { writer.endChanges(of: update) }
      return writer.bytes
    }
  }
}
