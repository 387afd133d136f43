import ArgumentParser
import PlainStore
import PlainText
import Sinks

/// The words behind the folder: items, then what is to become of their fields.
struct ItemOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Ids, as list -o id prints them, or - for items on standard input; then fields.", valueName: "id... field=value"))
  var words: [String] = []

  /// For the commands that give fields values.
  ///
  /// - Throws: what is wrong with a word, as an error that shows how the command is used.
  func itemWords() throws -> ItemWords {
    try reading { () throws(AssignmentError) in try ItemWords(ahead, behind: behind) }
  }

  /// For the command that takes fields out.
  ///
  /// - Parameter items: the fields of those words that are ids of items.
  func unsetWords(_ items: [String: Fields]) throws -> UnsetWords {
    try reading { () throws(AssignmentError) in try UnsetWords(ahead, behind: behind, items: items) }
  }

  private func reading<Words>(_ body: () throws(AssignmentError) -> Words) throws -> Words {
    do throws(AssignmentError) {
      return try body()
    } catch {
      throw ValidationError(DisplayText.safe(error.description))
    }
  }

  /// The words before a `--` that stands among them. Before all of them it only says that no option follows; then a second one may part them.
  var ahead: [String] { parted.ahead }

  /// Those behind it.
  private var behind: [String] { parted.behind }

  // The argument parser has no way to keep two lists of words apart: it takes out the first `--`.
  private var parted: (ahead: [String], behind: [String]) {
    if let second = words.firstIndex(of: "--") { return (Array(words[..<second]), Array(words[(second + 1)...])) }
    let arguments = CommandLine.arguments
    let count = arguments.firstIndex(of: "--").map { arguments.count - $0 - 1 } ?? 0
    return count < words.count ? (words.dropLast(count), words.suffix(count)) : (words, [])
  }

  static let fieldsHelp = """
    FIELDS
      rating=8               a number, true, false, null, a date, or a string
      version=3.20           a number keeps its text: 3.20, 1e3
      zip=02110              a string, as +49301, 0x1F and .5 are
      tags:='["a","b"]'      a value in JSON ('name:="8"' is a string)
      body@draft.md          the text of a file; @- is standard input
      tags+=new              one more element of a list
      tags-=old              removes an element from a list; 3.1 removes 3.10, too
      address.city=Paris     a key of a map
      tags[0]=first          an element of a list
      '`a.b`.c=x'            a key with other characters; /a.b/c=x is the same

    Ids come first, then fields. In an id = is written %3D, and from the second one on @ is %40; or `--` parts ids and fields. A backslash before = @ : + - makes it a sign \
    of the field's name.
    """
}

extension [String] {
  /// True if they are the sign for items on standard input.
  var areInput: Bool { self == ["-"] }

  /// - Throws: if they are that sign and ids: nobody can tell whether the items are those of the ids, of standard input, or of both.
  func checkInput() throws {
    if count > 1, contains("-") { throw ValidationError(AssignmentError.mixedInput) }
  }
}
