import ArgumentParser
import Store

/// The words after the folder: items, then what to do with their fields.
struct ItemOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Ids, as `list -o id` prints them, or - for items from standard input; then the fields.",
      valueName: "ID... [FIELD...]"))
  var words: [String] = []

  func itemWords() throws -> ItemWords {
    try divided { before, after throws(Failure) in try ItemWords(before, afterDashes: after) }
  }

  /// Turns a wrong word into an error that shows the usage of the command.
  func divided<Words>(_ body: ([String], [String]) throws(Failure) -> Words) throws -> Words {
    do throws(Failure) {
      let (before, after) = split
      return try body(before, after)
    } catch {
      throw ValidationError(DisplayText.safe(error.description))
    }
  }

  /// A `--` before all words only ends the options; then a second one may separate ids and fields.
  var beforeDashes: [String] { split.before }

  // The argument parser removes the first `--`; only the process's own arguments show its place.
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
  var areInput: Bool { self == ["-"] }

  func checkInput() throws {
    if count > 1, contains("-") { throw ValidationError(ItemWords.mixedInput) }
  }
}

extension ItemWords {
  func checkInput() throws {
    if ids.areInput, assignments.readStandardInput {
      throw ValidationError(
        "Standard input cannot be read twice: for the items (`-`) and for a field (`@-`).")
    }
  }
}

struct InputOptions: ParsableArguments {
  @Flag(help: "If an item from standard input is not valid or does not exist, write the other items anyway.")
  var keepGoing = false

  static let help = """
    With - instead of ids, the items come from standard input: a JSON array or JSON Lines, as list -o json and -o jsonl \
    print them. If one of them is not valid or does not exist, nothing is written, unless --keep-going is given. An item \
    may occur twice, but not with different values.
    """

  static let helpForNewItems = """
    With - instead of ids, the items come from standard input: a JSON array or JSON Lines, as list -o json and -o jsonl \
    print them. If one of them is not valid, nothing is written, unless --keep-going is given. An item may occur twice, \
    but not with different values.
    """

  static let helpWithIDs = """
    With - instead of ids, the items come from standard input: a JSON array, JSON Lines, or one id per line, as list -o \
    json, -o jsonl and -o id print them. If one of them is not valid or does not exist, nothing is written, unless \
    --keep-going is given.
    """
}

struct WriteOptions: ParsableArguments {
  @Flag(
    name: [.customShort("n"), .long],
    help: """
      Write nothing; print the changes as a diff. Apply it with `git apply` in DIR, or with `git apply --directory=DIR` \
      at the top of its repository.
      """
  )
  var dryRun = false
}

/// The policy for changes to files that another program saved in the meantime.
struct PolicyOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      What to do if another program saved the item in the meantime: error writes nothing; store and object merge by \
      field, and a field that both changed gets the file's value (store) or yours (object); overwrite discards the other \
      change; rollback discards yours. The output names your fields that are not saved, and the exit code is 0.
      """, valueName: "POLICY"))
  private var mergePolicy = Choice.error

  private enum Choice: String, ExpressibleByArgument, CaseIterable {
    case error, store, object, overwrite, rollback
  }

  var policy: MergePolicy {
    switch mergePolicy {
    case .error: .error
    case .store: .mergeByPropertyStoreTrump
    case .object: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}
