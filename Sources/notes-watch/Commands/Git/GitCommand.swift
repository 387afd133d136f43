import ArgumentParser

/// `git`: the drivers by which git merges and shows items by field.
struct GitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git",
    abstract: "Let git merge and show items by field, in the repository of a folder.",
    discussion: """
      EXAMPLES
        notes-watch git install contacts     in this clone, never globally
        notes-watch git status contacts      whether the drivers will run
        notes-watch git uninstall contacts   takes away exactly what install did
      """,
    subcommands: [
      GitInstallCommand.self, GitUninstallCommand.self, GitStatusCommand.self, GitMergeFileCommand.self, GitTextconvCommand.self,
    ])
}
