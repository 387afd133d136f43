/// Parses the output of `git cat-file --batch`: for each object a header line, its bytes and a line
/// break.
///
/// Keeps at most one object in memory, and none of an object that exceeds the limit.
struct ObjectStream {
  enum Object {
    case bytes([UInt8])
    case tooLarge(Int)
    /// There is no such object, or it is not a file's content.
    case missing
  }

  private enum State {
    case header
    case body(Int)
    case skipping(Int)
  }

  private let limit: Int
  private var state = State.header
  private var buffer: [UInt8] = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func consume(_ bytes: [UInt8]) -> [Object] {
    buffer += bytes
    var objects: [Object] = []
    var start = 0
    loop: while true {
      switch state {
      case .header:
        guard let end = buffer[start...].firstIndex(of: 0x0A) else { break loop }
        let header = ObjectHeader(buffer[start..<end])
        start = end + 1
        guard let header else {
          objects.append(.missing)
          continue
        }
        let isWanted = header.type == "blob" && header.size <= limit
        if !isWanted { objects.append(header.type == "blob" ? .tooLarge(header.size) : .missing) }
        state = isWanted ? .body(header.size) : .skipping(header.size + 1)
      case .body(let size):
        guard buffer.count - start > size else { break loop }
        objects.append(.bytes(Array(buffer[start..<start + size])))
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
    return objects
  }
}

/// Reads objects with one `git cat-file` process. Keeps one object in memory at a time.
final class ObjectReader {
  private let child: GitChild
  private let isBulk: Bool
  private var stream: ObjectStream
  private(set) var budget: ContentBudget

  /// Starts git. Objects with more bytes than `limit` are skipped. With `isBulk`, all objects are read
  /// in one call, which is faster.
  init(_ repository: GitRepository, limit: Int, budget: ContentBudget, isBulk: Bool = false) throws(GitError)
  {
    self.isBulk = isBulk
    let options = ["cat-file", "--batch"] + (isBulk ? ["--buffer"] : [])
    child = try repository.git.start(options, keepsInputOpen: true)
    stream = ObjectStream(limit: limit)
    self.budget = budget
  }

  func read(_ names: [String], _ body: (Int, ObjectStream.Object) throws(GitError) -> Void) throws(GitError) {
    child.write(Array(names.map { "\($0)\n" }.joined().utf8))
    if isBulk { child.closeInput() }
    var count = 0
    while count < names.count {
      guard let bytes = try child.next() else {
        throw try child.end().failure("read an object of the repository")
      }
      try budget.spend(bytes.count)
      for object in stream.consume(bytes) {
        try body(count, object)
        count += 1
      }
    }
  }
}

/// A limit for all content that is read. A small pack can contain many large files that consist
/// mostly of blanks.
struct ContentBudget {
  let limit: Int
  let advice: String
  private(set) var spent = 0

  mutating func spend(_ bytes: Int) throws(GitError) {
    spent += bytes
    guard spent > limit else { return }
    throw GitError(.damaged, "The repository has more than \(limit >> 20) MiB to read. \(advice)")
  }
}
