import ArgumentParser
import Store
import Values

/// Options for items from standard input, which the word `-` asks for.
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

enum ItemInput {
  /// The largest input in bytes. All of it has to be in memory.
  private static let maxSize = 1 << 30

  /// A sentence about `-` together with a field whose value is `@-`.
  static let isReadTwice = "Standard input cannot be read twice: for the items (`-`) and for a field (`@-`)."

  /// Reads the items from standard input, and reports each error in it.
  static func read(for use: ItemList.Use, _ writer: inout ItemWriter) throws -> [ItemList.Entry] {
    let list = try list(for: use, writer.session.limits)
    // The input may have taken long, and its author may have changed the folder.
    try writer.reopen()
    for error in list.errors { writer.fail(.badData, message(error)) }
    return list.entries
  }

  /// Reads the items from standard input. An empty input is not an error, but is reported.
  static func list(for use: ItemList.Use, _ limits: ReadLimits) throws -> ItemList {
    do throws(Failure) {
      let list = ItemList(try InputFile.readStandardInput(upTo: maxSize), for: use, limits: limits)
      if list.entries.isEmpty, list.errors.isEmpty {
        StandardError.report("Standard input contains no items.")
      }
      return list
    } catch {
      throw Failure.report(.noInput, error.description)
    }
  }

  static func message(_ error: TextError) -> String {
    "Standard input, line \(error.line), column \(error.column): \(error.message)"
  }
}
