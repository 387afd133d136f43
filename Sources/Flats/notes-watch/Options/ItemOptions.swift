import ArgumentParser
import Files
import Store
import Values

/// The words after the folder: items, then what to do with their fields.
struct ItemOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Ids, as `list -o id` prints them, or - for items from standard input; then the fields.",
      valueName: "ID... [FIELD...]"))
  var words: [String] = []

  /// Returns the words of a command that sets fields.
  ///
  /// - Throws: an error that describes the wrong word and shows the usage of the command.
  func itemWords() throws -> ItemWords {
    try reading { () throws(AssignmentError) in try ItemWords(beforeDashes, afterDashes: afterDashes) }
  }

  /// Returns the words of the command that removes fields.
  ///
  /// - Parameter items: the fields of the items, by the words that are ids of items.
  func unsetWords(_ items: [String: Fields]) throws -> UnsetWords {
    try reading { () throws(AssignmentError) in
      try UnsetWords(beforeDashes, afterDashes: afterDashes, items: items)
    }
  }

  private func reading<Words>(_ body: () throws(AssignmentError) -> Words) throws -> Words {
    do throws(AssignmentError) {
      return try body()
    } catch {
      throw ValidationError(DisplayText.safe(error.description))
    }
  }

  /// The words before the `--` that separates ids and fields. A `--` before all words only ends the
  /// options; then a second one may follow.
  var beforeDashes: [String] { split.before }

  /// The words after that `--`.
  private var afterDashes: [String] { split.after }

  // The argument parser removes the first `--`, so that its place has to be found in the process's
  // own arguments.
  private var split: (before: [String], after: [String]) {
    if let second = words.firstIndex(of: "--") {
      return (Array(words[..<second]), Array(words[(second + 1)...]))
    }
    let arguments = CommandLine.arguments
    let count = arguments.firstIndex(of: "--").map { arguments.count - $0 - 1 } ?? 0
    return count < words.count ? (words.dropLast(count), words.suffix(count)) : (words, [])
  }

  static let fieldsHelp = """
    FIELDS
      rating=8               a number, true, false, null, a date, or a string
      version=3.20           a number keeps its digits: 3.20, 1e3
      zip=02110              a string, like +49301, 0x1F and .5
      due='@today + 3d'      a local day; also w, m and y for weeks, months, years
      at=@now                the local time; x='"@now"' is the string
      tags:='["a","b"]'      a value in JSON ('name:="8"' is a string)
      body@draft.md          the content of a file; @- is standard input
      tags+=new              adds an element to a list
      tags-=old              removes an element from a list; 3.1 removes 3.10, too
      address.city=Paris     a key of a map
      tags[0]=first          an element of a list
      '`a.b`.c=x'            a key with other characters; /a.b/c=x is the same

    Ids come first, then fields. Write = in an id as %3D, and @ as %40 from the second id on, or separate ids and fields \
    with `--`. A backslash makes = @ : + or - part of a field's name.
    """
}

extension [String] {
  /// True if these words ask for items from standard input.
  var areInput: Bool { self == ["-"] }

  /// - Throws: an error if `-` is among ids, because it's unclear which items are meant.
  func checkInput() throws {
    if count > 1, contains("-") { throw ValidationError(AssignmentError.mixedInput) }
  }
}
