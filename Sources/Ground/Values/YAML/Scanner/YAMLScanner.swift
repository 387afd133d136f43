/// Packs the plain subset of YAML that most files use, many times faster than libyaml.
///
/// libyaml stays the authority. For each text the scanner either gives exactly libyaml's value or
/// declines, and then libyaml reads the text. It declines at everything that is an error, exceeds a
/// limit, or is not in the subset:
/// - The root is a block map. A line `---` may precede it.
/// - Block maps and lists contain plain and quoted scalars on one line, `|` and `>` scalars without
///   an indentation indicator, and lists and maps in brackets.
/// - Keys are plain or quoted scalars without escapes, on the line of their `:`.
/// - Lines end with LF or CRLF, indentation is spaces, and comments follow a space.
///
/// Not in the subset: anchors, aliases, tags, merge keys, directives, a second document, `?`, scalars
/// of several lines but `|` and `>`, most escapes, and tabs outside of comments, quotes, `|` and `>`.
///
/// Linear. Nesting is limited, so recursion is, too.
struct YAMLScanner: ~Copyable {
  struct Declined: Error {}

  struct Frame {
    var kind = YAMLReader.Frame.Kind.document
    /// The column of the entries. A list may have the column of the map that contains it.
    var column = -1
    var start = 0
    var keys: UniqueKeys.Scope
  }

  /// The buffers that are kept from one text to the next.
  struct Memory {
    fileprivate var outer: [Frame] = []
    var keys = UniqueKeys()
  }

  /// With flow lists and maps. libyaml limits deeper nesting, see `YAMLParser`.
  static let maxDepth = 16

  private let base: UnsafeRawPointer
  let count: Int
  var position = 0
  /// The offset of the line that `position` was in when its first character was found.
  var lineStart = 0
  private var frame: Frame
  var flowDepth = 0
  let depthLimit: Int
  /// True if the document, the last entry of a list or the last key of a map has no value yet.
  private var awaitsValue = true
  let reservedKey: StaticString?
  var writer: PackedWriter
  var memory: Memory

  /// The text must remain valid. Returns nil if it is empty.
  init?(
    _ text: UnsafeRawBufferPointer, depthLimit: Int, reservedKey: StaticString?, writer: PackedWriter,
    memory: inout Memory
  ) {
    guard let base = text.baseAddress, !text.isEmpty else { return nil }
    self.base = base
    count = text.count
    self.depthLimit = min(depthLimit, YAMLScanner.maxDepth)
    self.reservedKey = reservedKey
    self.writer = writer
    // Moved, because a copy of an array is copied again when it changes.
    self.memory = Memory()
    swap(&self.memory, &memory)
    self.memory.outer.removeAll(keepingCapacity: true)
    self.memory.keys.reset()
    frame = Frame(keys: self.memory.keys.begin())
  }

  /// The byte at `index`, which must be in the text.
  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return base.load(fromByteOffset: index, as: UInt8.self)
  }

  /// Eight bytes from `index` on, the first one in the lowest bits. All must be in the text.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 8 <= count)
    return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  mutating func scan() throws(Declined) {
    try skipDocumentStart()
    while let column = try advanceToContent() { try line(at: column) }
    if awaitsValue {
      guard frame.kind != .document else { throw Declined() }
      writer.appendNull()
    }
    while frame.kind != .document { endFrame() }
  }

  private mutating func line(at column: Int) throws(Declined) {
    let isEntry = isIndicator(at: position, "-")
    if awaitsValue {
      awaitsValue = false
      if column > frame.column { return try node(at: column) }
      if column == frame.column, isEntry, frame.kind == .map { return try beginList(at: column) }
      writer.appendNull()
    }
    while frame.column > column { endFrame() }
    // A list in the column of its map ends with the map's next key.
    if !isEntry, frame.kind == .list, let parent = memory.outer.last, parent.kind == .map,
      parent.column == column
    {
      endFrame()
    }
    // A deeper column continues a plain scalar, or is an error.
    guard frame.column == column, frame.kind == (isEntry ? .list : .map) else { throw Declined() }
    if isEntry { try entry() } else { try key() }
  }

  private mutating func node(at column: Int) throws(Declined) {
    if isIndicator(at: position, "-") { return try beginList(at: column) }
    if isMark(byte(at: position)) { return try scalarOrCollection() }
    let start = position
    let scalar = try scalar(isKeyAllowed: true)
    guard try skipColon(from: start) else {
      // The root is not a map.
      guard frame.kind != .document else { throw Declined() }
      append(scalar)
      return try finishLine()
    }
    try begin(.map, at: column)
    try append(key: scalar)
    try value()
  }

  private mutating func key() throws(Declined) {
    let start = position
    let key = try scalar(isKeyAllowed: true)
    guard try skipColon(from: start) else { throw Declined() }
    try append(key: key)
    try value()
  }

  private mutating func append(key: Scalar) throws(Declined) {
    var scope = frame.keys
    try append(key: key, into: &scope, isRoot: memory.outer.count == 1)
    frame.keys = scope
  }

  private mutating func value() throws(Declined) {
    skipSpaces()
    if isLineFinished {
      awaitsValue = true
      return try finishLine()
    }
    if isMark(byte(at: position)) { return try scalarOrCollection() }
    if isIndicator(at: position, "-") { throw Declined() }
    append(try scalar(isKeyAllowed: false))
    try finishLine()
  }

  private mutating func beginList(at column: Int) throws(Declined) {
    // The root is not a map.
    guard frame.kind != .document else { throw Declined() }
    try begin(.list, at: column)
    try entry()
  }

  private mutating func entry() throws(Declined) {
    position += 1
    skipSpaces()
    if isLineFinished {
      awaitsValue = true
      return try finishLine()
    }
    try node(at: position - lineStart)
  }

  private var isLineFinished: Bool {
    position >= count || byte(at: position) == "\n" || byte(at: position) == "#"
  }

  private mutating func begin(_ kind: YAMLReader.Frame.Kind, at column: Int) throws(Declined) {
    guard memory.outer.count < depthLimit else { throw Declined() }
    memory.outer.append(frame)
    frame = Frame(
      kind: kind, column: column, start: writer.begin(kind == .list ? .list : .map), keys: memory.keys.begin()
    )
  }

  private mutating func endFrame() {
    writer.end(frame.start)
    memory.keys.end(frame.keys)
    frame = memory.outer.removeLast()
  }

  private func isMark(_ byte: UInt8) -> Bool {
    byte == "[" || byte == "{" || byte == "|"
      || byte == ">"
  }

  private mutating func scalarOrCollection() throws(Declined) {
    guard frame.kind != .document else { throw Declined() }
    switch byte(at: position) {
    case "|": try blockScalar(isFolded: false, parentColumn: frame.column)
    case ">": try blockScalar(isFolded: true, parentColumn: frame.column)
    default:
      try flowCollection(outerDepth: memory.outer.count)
      try finishLine()
    }
  }
}
