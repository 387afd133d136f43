import ArgumentParser

struct GitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "git",
    abstract: "Let git merge and show items field by field.",
    usage: "notes-watch git install|uninstall|status DIR",
    discussion: """
      A merge driver merges items field by field. A diff driver, with `git install --diff`, makes `git diff` and `git \
      log -p` show the changed fields, at a cost per file. Both are set up per clone.

      EXAMPLES
        notes-watch git install contacts     set up this clone, nothing global
        notes-watch git status contacts      check that git will run the drivers
        notes-watch git uninstall contacts   remove exactly what install set up
      """,
    subcommands: [
      GitInstallCommand.self, GitUninstallCommand.self, GitStatusCommand.self, GitMergeFileCommand.self,
      GitTextconvCommand.self,
    ])
}
