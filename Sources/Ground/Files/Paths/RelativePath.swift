import Glibc

/// The path of a file or folder below a watched root.
///
/// File names on Linux are bytes. This type holds them as a string that is safe to print and to compare: `%`
/// is written `%25`; C0 controls, DEL and bytes that are not UTF-8 are written `%XX`. So two names never
/// share one string, and ``bytes`` returns exactly the bytes of the file system. `""` is the root itself.
///
/// Equality and hashing compare bytes, not Unicode's canonical equivalence: `café` composed and
/// decomposed are two paths.
///
/// ```swift
/// let path = RelativePath(bytes: Array("friends/50%.yaml".utf8))
/// print(path)                                        // friends/50%25.yaml
/// print(path.name, path.parent ?? .root)             // 50%25.yaml friends
/// path.withCString { unlinkat(root, $0, 0) }         // the file's true name
/// ```
public struct RelativePath: Sendable {
  /// The printed form.
  public let description: String

  /// The root itself.
  public static let root = RelativePath(text: "")

  /// Creates a path from the bytes that `readdir` and similar calls return. `/` separates the components.
  public init(bytes: some Sequence<UInt8>) {
    let bytes = ContiguousArray(bytes)
    description = bytes.withUnsafeBufferPointer(RelativePath.printed)
  }

  /// Creates a path from its printed form, as a user types it or a stream contains it.
  ///
  /// A `%` that begins no `%XX` means itself, so several strings may name one path. Nil if the path
  /// cannot lie below a root: if it contains a NUL, begins with `/`, or has a component that is
  /// empty, `.` or `..`.
  public init?(printed: String) {
    guard let bytes = RelativePath.parse(printed) else { return nil }
    self.init(bytes: bytes)
  }

  init(text: String) {
    description = text
  }

  /// The bytes of the path in the file system.
  public var bytes: [UInt8] {
    isPlain ? Array(description.utf8) : RelativePath.decode(description.utf8)
  }

  /// Calls `body` with the bytes, ended by a NUL, for a system call relative to the root.
  public func withCString<R, E: Error>(_ body: (UnsafePointer<CChar>) throws(E) -> R) throws(E) -> R {
    func result(_ pointer: UnsafePointer<CChar>) -> Result<R, E> {
      Result { () throws(E) in try body(pointer) }
    }
    if isPlain { return try description.withCString(result).get() }
    return try (bytes + [0]).withUnsafeBufferPointer {
      $0.withMemoryRebound(to: CChar.self) { result($0.baseAddress.unsafelyUnwrapped) }
    }
    .get()
  }

  /// The last component, printed; `""` for the root.
  public var name: Substring {
    guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return description[...] }
    return description[description.utf8.index(after: slash)...]
  }

  /// The folder that contains this path; `nil` for the root.
  public var parent: RelativePath? {
    if description.isEmpty { return nil }
    guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return .root }
    return RelativePath(text: String(description[..<slash]))
  }

  /// The number of components; 0 for the root.
  public var depth: Int {
    description.isEmpty ? 0 : description.utf8.reduce(1) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 }
  }

  /// Returns the path of an entry in this folder. `name` is the name in the file system's bytes.
  public func appending(name: some Sequence<UInt8>) -> RelativePath {
    ContiguousArray(name).withUnsafeBufferPointer { appending(name: $0) }
  }

  /// Appends a name without copying it first: listing a large folder spends its time here.
  func appending(name: UnsafeBufferPointer<UInt8>) -> RelativePath {
    guard RelativePath.isPlain(name) else {
      return RelativePath(text: joined(to: RelativePath.printed(name).utf8))
    }
    return RelativePath(text: joined(to: name))
  }

  private func joined(to name: some Collection<UInt8>) -> String {
    let folder = description.utf8
    let slash = folder.isEmpty ? 0 : 1
    return String(unsafeUninitializedCapacity: folder.count + slash + name.count) { text in
      let used = text[...].initialize(fromContentsOf: folder)
      if slash == 1 { text.initializeElement(at: used, to: UInt8(ascii: "/")) }
      return text[(used + slash)...].initialize(fromContentsOf: name)
    }
  }

  /// Returns true if this path is inside `directory`, at any depth. A path is not below itself.
  public func isBelow(_ directory: RelativePath) -> Bool {
    let whole = description.utf8, prefix = directory.description.utf8
    if prefix.isEmpty { return !whole.isEmpty }
    return whole.count > prefix.count && whole.starts(with: prefix)
      && whole[whole.index(whole.startIndex, offsetBy: prefix.count)] == UInt8(ascii: "/")
  }

  private var isPlain: Bool { !description.utf8.contains(UInt8(ascii: "%")) }
}

extension RelativePath: CustomStringConvertible, Hashable {
  /// Returns true if both paths have the same bytes.
  public static func == (left: RelativePath, right: RelativePath) -> Bool {
    let left = left.description.utf8
    let right = right.description.utf8
    let isSame = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { left.hasSameBytes(as: $0) }
    }
    return (isSame ?? nil) ?? left.elementsEqual(right)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    if description.utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    ) == nil {
      for byte in description.utf8 { hasher.combine(byte) }
    }
  }
}

extension RelativePath: ExpressibleByStringLiteral {
  /// Creates a path from a literal in its printed form: `"friends/ada.yaml"`, `""` for the root. A
  /// folder may end with a slash: `"friends/"`.
  ///
  /// A literal that leads out of the root (such as `"../ada.yaml"` or `"/ada.yaml"`) is a mistake in the
  /// program: it traps. For other strings, use `init(printed:)`, which returns nil.
  public init(stringLiteral text: StaticString) {
    let printed = text.description
    let isFolder = printed.utf8.count > 1 && printed.utf8.last == UInt8(ascii: "/")
    guard let path = RelativePath(printed: isFolder ? String(printed.utf8.dropLast()) ?? printed : printed)
    else {
      // A literal is a constant: a mistake of the programmer.
      fatalError("The RelativePath literal \"\(text)\" cannot be a path below a root.")
    }
    self = path
  }
}

extension RelativePath: Comparable {
  /// Compares the file system's bytes, not the printed forms: `%01` sorts as the byte 1.
  public static func < (left: RelativePath, right: RelativePath) -> Bool {
    if left.isPlain && right.isPlain {
      return left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }
    return left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count, let own = baseAddress, let other = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(own, other, count) == 0
  }
}

extension RelativePath {
  package func withUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = description.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    var text = description
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
