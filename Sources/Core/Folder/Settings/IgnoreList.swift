/// The patterns of `ignore`. The last pattern that matches a path decides.
///
/// Names, paths and `*.ext` are in one index. A path is searched in it from its end, so the number
/// of these patterns does not matter. Patterns with other wildcards are tried one after the other,
/// from the last, and settings may have only ``maxWildcards`` of them.
struct IgnoreList {
  /// The maximum number of patterns that have wildcards other than a leading `*`.
  static let maxWildcards = 1_000

  private let isNegated: [Bool]
  private var literals = LiteralIndex()
  private var wildcards: [(rule: Int, glob: Glob)] = []

  package init(_ patterns: [String]) {
    let globs = patterns.map(Glob.init)
    isNegated = globs.map(\.isNegated)
    for (rule, glob) in globs.enumerated() {
      if let literal = glob.literal {
        literals.insert(literal, rule, foldersOnly: glob.foldersOnly)
      } else {
        wildcards.append((rule, glob))
      }
    }
  }

  var isEmpty: Bool { isNegated.isEmpty }

  var wildcardCount: Int { wildcards.count }

  func ignores(_ path: UnsafeRawBufferPointer, isFolder: Bool) -> Bool {
    var last = literals.lastRule(for: path, isFolder: isFolder)
    guard let rule = wildcards.last?.rule, rule > last else { return last >= 0 && !isNegated[last] }
    let name = Glob.start(ofLast: 1, in: path) ?? 0
    for (rule, glob) in wildcards.reversed() {
      if rule < last { break }
      if isFolder || !glob.foldersOnly, glob.matches(path, name: name) {
        last = rule
        break
      }
    }
    return last >= 0 && !isNegated[last]
  }
}

/// An index of literal ends of paths: a tree of their bytes, from the last byte to the first.
private struct LiteralIndex {
  /// The number of the last rule of a kind; -1 if there is none.
  private struct Rules {
    var any = -1
    var folders = -1

    func last(isFolder: Bool) -> Int { isFolder ? max(any, folders) : any }
  }

  private struct Entry {
    var inName = Rules()
    var component = Rules()
    var root = Rules()
  }

  private struct Edge: Hashable {
    let node: Int32
    let byte: UInt8
  }

  private var edges: [Edge: Int32] = [:]
  /// True for the last bytes of all literals. For most paths the search ends here.
  private var isLastByte = [Bool](repeating: false, count: 256)
  private var nodes: Int32 = 1
  private var entries: [Int32: Entry] = [:]

  mutating func insert(_ literal: Glob.Literal, _ rule: Int, foldersOnly: Bool) {
    var node: Int32 = 0
    for byte in literal.bytes.reversed() {
      let edge = Edge(node: node, byte: byte)
      if let next = edges[edge] {
        node = next
      } else {
        edges[edge] = nodes
        node = nodes
        nodes += 1
      }
    }
    if let byte = literal.bytes.last { isLastByte[Int(byte)] = true }
    let kind: WritableKeyPath<Entry, Rules> =
      switch literal.start {
      case .inName: \.inName
      case .component: \.component
      case .root: \.root
      }
    if foldersOnly {
      entries[node, default: Entry()][keyPath: kind].folders = rule
    } else {
      entries[node, default: Entry()][keyPath: kind].any = rule
    }
  }

  /// Takes at most one step per byte of the path.
  func lastRule(for path: UnsafeRawBufferPointer, isFolder: Bool) -> Int {
    guard let byte = path.last, isLastByte[Int(byte)] else { return -1 }
    var last = -1
    var node: Int32 = 0
    var index = path.count
    while index > 0 {
      index -= 1
      guard let next = edges[Edge(node: node, byte: path[index])] else { break }
      node = next
      guard let entry = entries[node] else { continue }
      last = max(last, entry.inName.last(isFolder: isFolder))
      if index == 0 { last = max(last, entry.root.last(isFolder: isFolder)) }
      if index == 0 || path[index - 1] == UInt8(ascii: "/") {
        last = max(last, entry.component.last(isFolder: isFolder))
      }
    }
    return last
  }
}
