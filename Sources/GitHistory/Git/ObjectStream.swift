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
  mutating func consume(_ bytes: UnsafeRawBufferPointer, _ body: (Object) -> Void) {
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

/// Reads objects with one `git cat-file`, as they are asked for. Holds one object at a time.
final class ObjectReader {
  private let child: GitChild
  private let isBulk: Bool
  private var stream: ObjectStream
  private var found: [ObjectStream.Object] = []
  private(set) var budget: ContentBudget

  /// - Parameters:
  ///   - limit: bytes of an object; larger ones are skipped.
  ///   - isBulk: true if all is read in one call, which is faster.
  init(_ repository: GitRepository, limit: Int, budget: ContentBudget, isBulk: Bool = false) throws(GitError) {
    self.isBulk = isBulk
    let options = ["cat-file", "--batch"] + (isBulk ? ["--buffer"] : [])
    child = try repository.git.start(options.map { Array($0.utf8) }, keepsInputOpen: true)
    stream = ObjectStream(limit: limit)
    self.budget = budget
  }

  /// Reads objects by their names, none of which has a line break. `body` is handed each with its place in `names`, in their order.
  func read(_ names: [String], _ body: (Int, ObjectStream.Object) throws(GitError) -> Void) throws(GitError) {
    child.write(Array(names.map { "\($0)\n" }.joined().utf8))
    if isBulk { child.closeInput() }
    var count = 0
    while count < names.count {
      guard let bytes = try child.next() else {
        let (status, message) = try child.end()
        throw GitRepository.failure("read an object of the repository", status, message)
      }
      try budget.spend(bytes.count)
      bytes.withUnsafeBytes { bytes in stream.consume(bytes) { found.append($0) } }
      for object in found {
        try body(count, object)
        count += 1
      }
      found.removeAll()
    }
  }
}

/// How much content may be read in all: a small pack can hold any number of large files that are mostly blanks.
struct ContentBudget: Sendable {
  let limit: Int
  private(set) var spent = 0
  /// What to do about it, as a sentence.
  let advice: String

  init(limit: Int, advice: String) {
    (self.limit, self.advice) = (limit, advice)
  }

  mutating func spend(_ bytes: Int) throws(GitError) {
    spent += bytes
    guard spent > limit else { return }
    throw GitError(.damaged, "More than \(limit >> 20) MiB would have to be read from the repository. \(advice)")
  }
}
