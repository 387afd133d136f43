import PlainStore

/// The lines that a screen showed, in order. A test awaits those that it expects.
final class ShownLines: Sendable {
  private let lines: AsyncStream<String>
  private let line: AsyncStream<String>.Continuation

  init() {
    (lines, line) = AsyncStream.makeStream()
  }

  func show(_ text: String) { line.yield(text) }

  /// Returns the next lines, as many as asked for, as soon as there are enough.
  func next(_ count: Int = 1) async -> [String] {
    var found: [String] = []
    for await text in lines {
      found.append(text)
      if found.count == count { break }
    }
    return found
  }
}
