/// Takes apart what `git cat-file --batch` prints: for each object a line about it, its bytes and a line break.
///
/// Holds one object at most, and nothing of one that is larger than the limit.
struct ObjectStream {
  enum Object {
    case bytes([UInt8])
    case tooLarge(Int)
    /// Not there, or no blob.
    case missing
  }

  private enum State {
    case header
    case body(Int)
    /// So many bytes that nobody wants.
    case skipping(Int)
  }

  private let limit: Int
  private var state = State.header
  private var buffer: [UInt8] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// Hands over every object that is whole now.
  mutating func take(_ bytes: UnsafeRawBufferPointer, _ body: (Object) -> Void) {
    buffer.append(contentsOf: bytes)
    var start = 0
    loop: while true {
      switch state {
      case .header:
        guard let end = buffer[start...].firstIndex(of: 0x0A) else { break loop }
        let header = ObjectHeader(buffer[start..<end])
        start = end + 1
        guard let header else {
          body(.missing)
          continue
        }
        let isWanted = header.type == "blob" && header.size <= limit
        if !isWanted { body(header.type == "blob" ? .tooLarge(header.size) : .missing) }
        state = isWanted ? .body(header.size) : .skipping(header.size + 1)
      case .body(let size):
        guard buffer.count - start > size else { break loop }
        body(.bytes(Array(buffer[start..<start + size])))
        start += size + 1
        state = .header
      case .skipping(let size):
        let skipped = min(size, buffer.count - start)
        start += skipped
        state = skipped == size ? .header : .skipping(size - skipped)
        if skipped < size { break loop }
      }
    }
    buffer.removeSubrange(..<start)
  }
}

extension GitRepository {
  /// Reads objects by their ids, with one process for all of them. `body` is handed each with its place in `objects`, in their order.
  func read(_ objects: [String], limit: Int, _ body: (Int, ObjectStream.Object) -> Void) async throws(GitError) {
    if objects.isEmpty { return }
    var stream = ObjectStream(limit: limit)
    var count = 0
    let input = Array(objects.joined(separator: "\n").utf8) + [0x0A]
    let (status, message) = try await git.stream(["cat-file", "--batch", "--buffer"].map { Array($0.utf8) }, input: input) { bytes in
      stream.take(bytes) { object in
        body(count, object)
        count += 1
      }
      return true
    }
    guard status == 0, count == objects.count else {
      throw GitError(.damaged, "git could not read an object of the repository: \(message.isEmpty ? "it ended with \(status)" : message).")
    }
  }
}
