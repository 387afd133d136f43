import Store

/// The part of a list that a client shows: some lines from a number on, or from an item on.
struct RequestedWindow {
  enum Start {
    /// The number of the line, from 0.
    case line(Int)
    /// The line that is `offset` lines above an item.
    case item(Item.ID, offset: Int)
  }

  var start: Start
  var count: Int

  static let maxCount = 500

  init(_ start: Start, count: Int) {
    self.start = start
    self.count = count
  }

  /// Reads a window: `{"first":0,"count":50}` or `{"anchor":"ada","offset":3,"count":50}`.
  init(_ value: Value) throws(ProblemDocument) {
    guard case .map(let written) = value else {
      throw RequestedWindow.mistake(
        "expected an object such as {\"first\":0,\"count\":50}, found \(value.kindName)")
    }
    for key in written.keys where !["first", "anchor", "offset", "count"].contains(key) {
      throw RequestedWindow.mistake("`\(key)` is not a key of it. Those are first, anchor, offset and count")
    }
    guard let count = try RequestedWindow.number("count", in: written, upTo: RequestedWindow.maxCount) else {
      throw RequestedWindow.mistake("`count` is missing, the number of lines")
    }
    self.count = count
    let first = try RequestedWindow.number("first", in: written, upTo: .max)
    switch (written["anchor"], first) {
    case (.string(let id)?, nil):
      start = .item(
        Item.ID(printed: id),
        offset: try RequestedWindow.number("offset", in: written, upTo: RequestedWindow.maxCount) ?? 0)
    case (nil, let first?) where written["offset"] == nil: start = .line(first)
    default:
      throw RequestedWindow.mistake(
        "give either `first`, a number, or `anchor`, the id of an item, with `offset`")
    }
  }

  private static func number(_ key: String, in written: Fields, upTo limit: Int) throws(ProblemDocument)
    -> Int?
  {
    guard let value = written[key] else { return nil }
    guard case .number(.integer(let number)) = value, (0...limit).contains(number) else {
      throw mistake("`\(key)` is not an integer from 0 to \(limit)")
    }
    return number
  }

  private static func mistake(_ message: String) -> ProblemDocument {
    .badView("window: \(message).", parameter: "window")
  }
  /// Returns the window for the next state of a list. It follows its item; if the item is gone, it
  /// stays where it was.
  func following(_ last: ListWindow?, in list: ListSnapshot<Item>) -> RequestedWindow {
    guard case .item(let id, _) = start, list.index(of: id) == nil else { return self }
    return RequestedWindow(.line(last?.first ?? 0), count: count)
  }
}
