import ArgumentParser
import PlainStore
import PlainText

/// The items that standard input names, for the commands that have a `-` in place of ids.
struct InputOptions: ParsableArguments {
  @Flag(help: "With items from standard input: write the others where one cannot be read or names no item.")
  var keepGoing = false

  static let help = """
    With - in place of ids the items are read from standard input: a JSON array or JSON Lines, as list -o json and -o jsonl print them. If any of them cannot be read or \
    names no item, nothing is written, unless --keep-going is given. An item may be named twice, but not with two values.
    """

  static let helpWithIDs = """
    With - in place of ids the items are read from standard input: a JSON array, JSON Lines, or one id per line, as list -o json, -o jsonl and -o id print them. If any of \
    them cannot be read or names no item, nothing is written, unless --keep-going is given.
    """
}

enum ItemInput {
  /// More than that is refused: all of it has to be in memory.
  private static let maxSize = 1 << 30

  /// Reads all of standard input and reports each error in it.
  static func read(for use: ItemList.Use, _ writer: inout ItemWriter) throws -> [ItemList.Entry] {
    let list = try list(for: use, writer.editor.limits)
    for error in list.errors { writer.fail(.badData, message(error)) }
    return list.entries
  }

  static func list(for use: ItemList.Use, _ limits: ReadLimits) throws -> ItemList {
    do throws(InputFileError) {
      return ItemList(try InputFile.readStandardInput(upTo: maxSize), for: use, limits: limits)
    } catch {
      throw Failure.exit(.noInput, error.description)
    }
  }

  static func message(_ error: TextError) -> String { "Standard input, line \(error.line), column \(error.column): \(error.message)" }
}
