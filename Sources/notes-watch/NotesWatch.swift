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
  /// No line is longer than 78 columns, so that none is wrapped.
  static let examples = """
    EXAMPLES
      notes-watch contacts                          the list, then every change
      notes-watch list notes --sort -rating,title   the list once, best first
      notes-watch list products --where 'releases.@count > 20'
      notes-watch todos --view today                a view from .notes-watch.yaml
      notes-watch notes -o jsonl | jq -c '.changes[]?'
      notes-watch notes -- ./publish.sh             a run for each update

    VIEW (of watch and list)
    \(ViewOptions.summary)
    """
}
