import PlainStore

/// The text of a unit file that `service install` writes.
///
/// One of its first lines holds the digest of the rest, so that a file that was edited by hand is
/// never replaced or removed by accident.
enum UnitFile {
  private static let digestKey = "# digest: "

  /// The author of a file.
  enum Origin: Sendable, Hashable {
    /// Written by `service install`, and not changed since.
    case installed
    /// Written by `service install`, and changed since.
    case edited
    /// Written by somebody else.
    case foreign
  }

  /// Returns the text with its mark.
  ///
  /// - Parameter text: The lines of the unit.
  static func signed(_ text: String) -> String {
    """
    # Written by `notes-watch service install`, which replaces this file unless it was edited.
    # To change the unit, run `systemctl --user edit`: it makes a file of its own.
    \(digestKey)\(ContentDigest(of: Array(text.utf8)).text)
    \(text)
    """
  }

  /// Returns who wrote a file.
  static func origin(of text: String) -> Origin {
    let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    if lines.count == 4, signed(String(lines[3])).utf8.elementsEqual(text.utf8) { return .installed }
    return text.contains(digestKey) ? .edited : .foreign
  }

  /// Returns a word of a command line, quoted as systemd reads it: `%` begins a specifier.
  static func quoted(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "%": text += "%%"
      case "\\", "\"": text += "\\" + String(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return !word.isEmpty && word.unicodeScalars.allSatisfy(isPlain) ? text : "\"\(text)\""
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", ":", ",", "=", "@", "%", "$": true
    default: false
    }
  }
}
