import Glibc

/// The environment of a run: the environment of this program, byte for byte, with additions.
package struct ChildEnvironment {
  /// The entries, each as `name=value`.
  package private(set) var entries: [[UInt8]]

  /// Adds entries to an environment. An addition replaces each entry of the same name.
  ///
  /// - Parameters:
  ///   - additions: The names and values to add. A value ends at its first NUL, which no entry can
  ///     contain.
  ///   - inherited: The entries to start with.
  package init(
    adding additions: [(name: String, value: [UInt8])], to inherited: [[UInt8]] = ChildEnvironment.current
  ) {
    let prefixes = additions.map { Array("\($0.name)=".utf8) }
    entries = inherited.filter { entry in !prefixes.contains { entry.starts(with: $0) } }
    for (prefix, addition) in zip(prefixes, additions) {
      entries.append(prefix + addition.value.prefix { $0 != 0 })
    }
  }

  /// The environment of this program.
  package static var current: [[UInt8]] {
    var entries: [[UInt8]] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(
        Array(UnsafeBufferPointer(start: entry, count: strlen(entry)).map(UInt8.init(bitPattern:))))
      next += 1
    }
    return entries
  }
}
