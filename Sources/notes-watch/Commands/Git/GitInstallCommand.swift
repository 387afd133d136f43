import ArgumentParser
import GitHistory

/// `git install`: sets the drivers up.
struct GitInstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Set the merge driver and the diff driver up in the repository of a folder.",
    discussion: """
      They are set up in this clone alone: in .git/config and .git/info/attributes, which are not versioned. A fresh clone needs an install of \
      its own; all work trees of a clone share one.

      git keeps what the diff driver prints (diff.notes-watch.cachetextconv, in refs/notes/textconv), so that a second `git diff` or `git log -p` \
      of the same commits starts no process per file. Files that were changed and not added yet are read each time. `git log --all` shows these \
      refs; `git config diff.notes-watch.cachetextconv false` turns that off, once for each of notes-watch, notes-watch-json and \
      notes-watch-markdown. In a repository that cannot be written the diffs are right, but git prints an error per file unless it is off. \
      Install again after an update of this program.
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "dir"), completion: .directory)
  var folder: String

  func run() async throws {
    let program = RunningProgram.path
    let (drivers, settings) = try await Failure.translating {
      let drivers = try await GitDrivers(of: folder)
      return (drivers, try await drivers.install(program))
    }
    var output = BufferedOutput(StandardOutput())
    try output.writeLines(
      [
        "merge driver  merge.notes-watch: git merges items by field, with \(program)",
        "diff driver   diff.notes-watch: git diff and git log -p show fields; git keeps them in refs/notes/textconv (cachetextconv)",
        "attributes    \(drivers.attributesPath): for the items below \(drivers.folder)",
        "In this clone only: a fresh clone needs an install of its own, and a forge's web merge knows nothing of it.",
        "Set in the repository's config:",
      ] + settings.map { "  \($0)" })
  }
}

/// `git uninstall`: takes them away.
struct GitUninstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "Take away what install set up for a folder; with the last folder the drivers.")

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "dir"), completion: .directory)
  var folder: String

  func run() async throws {
    try await Failure.translating { try await GitDrivers(of: folder).uninstall() }
  }
}

/// `git status`: whether they will run.
struct GitStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say whether git will run the drivers for a folder, and what keeps it from that.",
    discussion: "Ends with 1 if anything keeps them from running, with 0 if nothing does.")

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "dir"), completion: .directory)
  var folder: String

  func run() async throws {
    let (drivers, status) = try await Failure.translating {
      let drivers = try await GitDrivers(of: folder)
      return (drivers, try await drivers.status())
    }
    var output = BufferedOutput(StandardOutput())
    try output.writeLines(
      [
        "merge driver  \(status.mergeProgram ?? "none")",
        "diff driver   \(status.diffProgram ?? "none")",
        "attributes    \(status.hasAttributes ? "\(drivers.attributesPath): \(status.handled) items below \(drivers.folder)" : "none")",
      ] + status.warnings.map { "! \($0)" }
        + ["A fresh clone has none of this until `notes-watch git install` is run there, and a forge's web merge never has."])
    if !status.warnings.isEmpty { throw ExitCode(1) }
  }
}
