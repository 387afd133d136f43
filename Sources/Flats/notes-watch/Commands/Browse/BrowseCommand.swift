import ArgumentParser
import Terminal

struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Show the list full-screen: live, searchable, editable.",
    usage: "notes-watch browse DIR [VIEW] [--print id|path|json]",
    discussion: """
      The list follows every change of the files, and marks what changed. Press ? for the keys: / searches, : filters by \
      a predicate, Tab shows the file of an item, Enter edits it, d deletes it, u undoes what you did, U redoes it, q quits.

      With --print, it is a filter for pipelines: Enter ends the program and prints the chosen items on standard output. \
      The list is drawn on the terminal itself, so that standard input and output may be pipes. The exit code is 0, 1 if \
      nothing was chosen, or 130 after Ctrl-C.

      Screen readers get the list from serve, as a web page, and as lines from watch, list and set.

      Keys are changed in the configuration, notes-watch/config.yaml in $XDG_CONFIG_HOME or ~/.config:

        browse:
          keys:
            delete: [d, delete]
            search: [/, ctrl-f]

      EXAMPLES
        notes-watch browse contacts --section group
        vim "$(notes-watch browse notes --print path)"
        notes-watch browse todos --print id --multi --search-first --height 40%
      """)

  @OptionGroup var folder: FolderOptions
  @OptionGroup(title: "View") var view: ViewOptions
  @OptionGroup(title: "Choosing") var choosing: ChoiceOptions

  @Flag(
    name: .customLong("search-first"),
    help: "Start in the search line: what you type filters the list at once.")
  var searchesFirst = false

  @Option(
    help: ArgumentHelp(
      "Draw in this many rows below the prompt instead of on the full screen: 15, or 40% of the window.",
      valueName: "ROWS"),
    transform: BrowseCommand.height)
  var height: TerminalHeight?

  @OptionGroup var colors: ColorOptions
  @OptionGroup var cache: CacheOptions
  @OptionGroup(title: "Watching") var watching: WatchSettings

  private static func height(_ text: String) throws -> TerminalHeight {
    if let height = TerminalHeight(parsing: text) { return height }
    throw ValidationError(
      "`\(text)` is not a height. Write a number of rows such as 15, or a part of the window such as 40%.")
  }
}
