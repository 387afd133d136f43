import Glibc

/// The environment of this program.
enum Environment {
  /// Returns the values of the variables that are set and not empty.
  static func values(of names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      guard let text = getenv(name), text.pointee != 0 else { continue }
      values[name] = String(cString: text)
    }
    return values
  }

  /// Returns the value of a variable; nil if it is not set, or empty.
  static func value(of name: String) -> String? { values(of: [name])[name] }
}

extension String {
  /// This word as a shell needs it, for commands that messages suggest.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "/._-+:,@%".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
