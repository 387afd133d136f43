import Glibc

enum Environment {
  static func values(of names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      guard let text = getenv(name), text.pointee != 0 else { continue }
      values[name] = String(cString: text)
    }
    return values
  }

  static func value(of name: String) -> String? { values(of: [name])[name] }
}

extension String {
  /// The names in the directory with this path, in any order; none if it cannot be read.
  var directoryEntries: [[UInt8]] {
    guard let entries = opendir(self) else { return [] }
    defer { closedir(entries) }
    var names: [[UInt8]] = []
    while let entry = readdir(entries) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names
  }

  /// This word as a shell needs it, for commands that messages suggest.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "/._-+:,@%".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
