import ArgumentParser
import GitHistory

/// `git install`: sets up the drivers.
struct GitInstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Set up the merge driver and the diff driver for a folder.",
    usage: "notes-watch git install DIR",
    discussion: """
      The drivers are set up in this clone only: in .git/config and .git/info/attributes, which are not versioned. Each \
      new clone needs its own install; all work trees of a clone share it. Install again after an update of this \
      program.

      git caches the output of the diff driver in refs/notes/textconv, so that a second `git diff` or `git log -p` of \
      the same commits starts no process per file. Changed files that are not added yet are read each time. `git log \
      --all` shows these refs. To turn the cache off, run `git config diff.NAME.cachetextconv false` with the NAMEs \
      notes-watch, notes-watch-json and notes-watch-markdown. In a repository that cannot be written, git prints an \
      error per file while the cache is on; the diffs are still right.

      EXAMPLE
        notes-watch git install contacts
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
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
        "diff driver   diff.notes-watch: git diff and git log -p show fields; git caches them in refs/notes/textconv",
        "attributes    \(drivers.attributesPath): for the items below \(drivers.folder)",
        "This clone only: each new clone needs its own install, and merges on a forge's website do not use the drivers.",
        "Set in the repository's config:",
      ] + settings.map { "  \($0)" })
  }
}

/// `git uninstall`: removes the drivers.
struct GitUninstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "Remove what install set up for a folder.", usage: "notes-watch git uninstall DIR",
    discussion: """
      The drivers are removed with the last folder of the repository that uses them.

      EXAMPLE
        notes-watch git uninstall contacts
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
  var folder: String

  func run() async throws {
    try await Failure.translating { try await GitDrivers(of: folder).uninstall() }
  }
}

/// `git status`: checks the drivers.
struct GitStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Check that git will run the drivers for a folder.", usage: "notes-watch git status DIR",
    discussion: """
      Each line that begins with `!` names something that keeps the drivers from running. The exit code is 1 \
      if there is such a line, otherwise 0.

      EXAMPLE
        notes-watch git status contacts
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
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
        + ["Each new clone needs its own `notes-watch git install`, and merges on a forge's website do not use the drivers."])
    if !status.warnings.isEmpty { throw ExitCode(1) }
  }
}
