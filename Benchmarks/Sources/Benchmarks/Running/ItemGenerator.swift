import Glibc

/// The formats of generated items.
enum ItemFormat: String {
  case yaml, json, markdown

  var pathExtension: String { self == .markdown ? "md" : rawValue }
}

/// Writes items of about 400 bytes with 8 fields, 1,000 to a folder. They are the same in every run
/// and have the same values in every format.
struct ItemGenerator {
  private let format: ItemFormat
  private var random = FixedGenerator()
  private static let words =
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
    .split(
      separator: " ")

  init(_ format: ItemFormat) { self.format = format }

  /// Writes items below a folder that does not exist yet.
  func write(_ count: Int, to root: String) throws {
    var generator = self
    guard mkdir(root, 0o777) == 0 else { throw Failure("\(root) cannot be made.") }
    for number in 0..<count {
      let folder = "\(root)/\(ItemGenerator.padded(number / 1_000, to: 4))"
      if number % 1_000 == 0 { mkdir(folder, 0o777) }
      let path = "\(folder)/note-\(ItemGenerator.padded(number, to: 7)).\(format.pathExtension)"
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      let text = Array(generator.next(number).utf8)
      let size = text.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      close(file)
      if size != text.count { throw Failure("\(path) cannot be written.") }
    }
  }

  /// Returns lines for `add -`.
  static func lines(_ count: Int) -> [UInt8] {
    var generator = ItemGenerator(.json)
    var lines: [UInt8] = []
    for number in 0..<count {
      let value = generator.next(number).replacing("\n", with: "")
      lines += "{\"id\":\"note-\(padded(number, to: 7))\",\"value\":\(value)}\n".utf8
    }
    return lines
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private mutating func words(_ count: Int) -> String {
    (0..<count).map { _ in ItemGenerator.words[below(ItemGenerator.words.count)] }.joined(separator: " ")
  }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  /// Returns the text of the next item.
  private mutating func next(_ number: Int) -> String {
    let id = String(random.next(), radix: 16) + "-" + String(random.next(), radix: 16)
    let (title, author) = (words(5), words(2))
    let rating = below(100) + 1
    let created =
      "2024-\(ItemGenerator.padded(below(12) + 1, to: 2))-\(ItemGenerator.padded(below(28) + 1, to: 2))T10:00:00Z"
    let tags = [words(1), words(1)]
    let isPinned = below(2) == 0
    let body = [words(10), words(10), words(10)]
    switch format {
    case .json:
      return """
        {
          "id": "\(id)", "title": "\(title)", "author": "\(author)", "rating": \(rating), "created": "\(created)",
          "tags": ["\(tags[0])", "\(tags[1])"], "pinned": \(isPinned),
          "body": "\(body.map { "\($0)\\n" }.joined())"
        }

        """
    case .yaml, .markdown:
      let fields = """
        id: \(id)
        title: \(title)
        author: \(author)
        rating: \(rating)
        created: \(created)
        tags: [\(tags[0]), \(tags[1])]
        pinned: \(isPinned)

        """
      if format == .markdown { return "---\n\(fields)---\n" + body.map { "\($0)\n" }.joined() }
      return "# note \(number)\n\(fields)body: |\n" + body.map { "  \($0)\n" }.joined()
    }
  }
}
