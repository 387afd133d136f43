import ArgumentParser

/// The program: `watch` is what it does when no command is named.
@main
struct NotesWatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes-watch",
    abstract: "A folder of plain-text items as a live, ordered, searchable list that says exactly what changed.",
    usage: """
      notes-watch DIR [view] [-o text|jsonl] [-- COMMAND ARGS]
      notes-watch list DIR [view] [-o table|json|jsonl|csv|tsv|id]
      notes-watch check DIR | get DIR ID...
      """,
    discussion: Help.examples,
    version: "0.1.0",
    subcommands: [WatchCommand.self, ListCommand.self, CheckCommand.self, GetCommand.self],
    defaultSubcommand: WatchCommand.self)
}

enum Help {
  static let examples = """
    EXAMPLES
      notes-watch contacts                              the list, then every change to it
      notes-watch list notes --sort -rating,title       the list once, best first
      notes-watch list products --where 'releases.@count > 20 AND category = "os"'
      notes-watch todos --view today                    a view that the folder's .notes-watch.yaml names
      notes-watch notes -o jsonl | jq -c .changes       for programs: JSON Lines
      notes-watch notes -- ./publish.sh                 runs a command for each update, its JSON on standard input

    VIEW (of watch and list; see `notes-watch help list`)
    \(ViewOptions.summary)
    """
}
