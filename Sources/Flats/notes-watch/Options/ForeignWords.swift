/// Words that other programs use for what a command or an option of this one does.
enum ForeignWords {
  /// Returns the sentence that says how this program does what a command of another one does; nil
  /// for an unknown word.
  static func advice(for command: String) -> String? { commands.first { $0.words.contains(command) }?.advice }

  private static let commands: [(words: Set<String>, advice: String)] = [
    (
      ["mv", "move", "rename", "ren"],
      "The id of an item is the path of its file: rename the file. If fields make the id, change them with `notes-watch set`."
    ),
    (["cp", "copy", "duplicate"], "Copy the file of the item, or give its fields to `notes-watch add`."),
    (["count", "wc"], "`notes-watch list DIR -o id | wc -l` counts the items."),
    (["search", "find", "grep"], "`notes-watch list DIR --search TEXT` searches; `--where` compares fields."),
    (["query", "filter", "where", "select"], "`notes-watch list DIR --where PREDICATE` filters."),
    (["ls", "ll", "export", "dump"], "`notes-watch list DIR` prints the items; -o chooses a format."),
    (["show", "cat", "read", "print"], "`notes-watch get DIR ID` prints an item."),
    (["view"], "`notes-watch list DIR --view NAME` prints a view, `notes-watch get DIR ID` an item."),
    (["init"], "Any folder is ready for `notes-watch DIR`."),
    (["version"], "`notes-watch --version` prints it."),
    (["new", "create", "insert", "touch", "mk"], "`notes-watch add DIR ID [FIELD=VALUE]` adds an item."),
    (["update", "change", "modify", "put", "patch"], "`notes-watch set DIR ID FIELD=VALUE` changes an item."),
    (["del", "delete", "remove", "erase"], "`notes-watch rm DIR ID` removes an item."),
    (["history", "blame"], "`notes-watch log DIR ID` prints the history of an item."),
    (["compare"], "`notes-watch diff DIR [REV]` prints what changed."),
    (["sort", "order"], "`notes-watch list DIR --sort FIELD` sorts."),
    (["tail", "follow", "monitor", "stream"], "`notes-watch DIR` prints each change."),
    (["lint", "validate", "verify"], "`notes-watch check DIR` reports problems."),
    (["server", "http", "start", "web"], "`notes-watch serve DIR` serves a web page."),
    (["tui", "ui", "open"], "`notes-watch browse DIR` shows the list full-screen."),
  ]

  /// An option that does what an option of another program does.
  struct Replacement {
    /// The name of the option.
    let option: String
    /// Its value; nil for the value that was given, or its placeholder.
    var value: String?
  }

  /// Returns the options that may replace one of another program.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes.
  ///   - formats: The values of the option `-o`.
  static func replacement(of name: String, formats: [String]) -> Replacement? {
    let format = String(name.drop { $0 == "-" })
    if name.hasPrefix("--"), let known = formats.first(where: { $0 == format || "\($0)s" == format || $0 == "\(format)l" }) {
      return Replacement(option: "-o", value: known)
    }
    return options.first { $0.words.contains(name) }?.replacement
  }

  private static let options: [(words: Set<String>, replacement: Replacement)] = [
    (["--format", "--fmt", "--output-format", "-f", "--as"], Replacement(option: "-o")),
    (["-n", "--max", "--top", "--head", "--first", "--count", "--limit", "--max-count", "--number"], Replacement(option: "--limit")),
    (["--group", "--group-by", "--groupby", "-g", "--by"], Replacement(option: "--section")),
    (["--columns", "--column", "--cols", "--select", "--field", "-c"], Replacement(option: "--fields")),
    (["--reverse", "--desc", "--descending", "-r"], Replacement(option: "--sort", value: "-FIELD")),
    (["--order", "--order-by", "--orderby", "--sort-by", "--sortby"], Replacement(option: "--sort")),
    (["--filter", "--query", "--predicate", "--match"], Replacement(option: "--where")),
    (["--find", "--grep", "--contains"], Replacement(option: "--search")),
    (["--skip"], Replacement(option: "--offset")),
    (["--port", "-p"], Replacement(option: "--listen")),
    (["--host", "--address", "--addr", "--bind"], Replacement(option: "--listen", value: "ADDRESS:PORT")),
  ]
}
