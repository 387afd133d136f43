import ArgumentParser
import Files
import Git
import Glibc

struct GitInstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Set up the merge driver, and on request the diff driver, for a folder.",
    usage: "notes-watch git install DIR [--diff|--no-diff]",
    discussion: """
      The drivers are set up in this clone only: in .git/config and .git/info/attributes, which are not versioned. Each \
      new clone needs its own install; all work trees of a clone share it. Install again after an update of this \
      program.

      With --diff, `git diff` and `git log -p` show the changed fields. git then starts this program once for each \
      version of an item that it shows: the first `git log -p` of commits with many files takes long. The command says \
      how many versions there are. A diff driver that is set up stays until --no-diff.

      git caches the output of the diff driver in refs/notes/textconv, so that a second `git diff` or `git log -p` of \
      the same commits starts no process per file. Changed files that are not added yet are read each time. `git log \
      --all` shows these refs. To turn the cache off, run `git config diff.NAME.cachetextconv false` with the NAMEs \
      notes-watch, notes-watch-json and notes-watch-markdown. In a repository that cannot be written, git prints an \
      error per file while the cache is on; the diffs are still right.

      EXAMPLES
        notes-watch git install contacts
        notes-watch git install contacts --diff
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
  var folder: String

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Set up the diff driver for this folder, or remove it.")
  var diff: Bool?

  func run() async throws {
    let program = GitInstallCommand.program
    let drivers = try GitDrivers(of: folder)
    let installed = try drivers.install(program, diff: diff)
    var output = BufferedOutput()
    try output.writeLines(
      [
        "merge driver  merge.notes-watch: git merges items by field, with \(program)",
        "diff driver   "
          + GitInstallCommand.diffText(installed.hasDiff, versions: drivers.versionCount()),
        "attributes    \(drivers.attributesPath): for the items below \(drivers.folder)",
        """
        This clone only: each new clone needs its own install, and merges on a forge's website do not \
        use the drivers.
        """,
        "Set in the repository's config:",
      ] + installed.settings.map { "  \($0)" })
  }

  /// The path by which the program was called, if possible: a link outlives the file that it leads to.
  private static var program: String {
    let own = realPath("/proc/self/exe") ?? CommandLine.arguments[0]
    return called.flatMap { realPath($0) == own ? $0 : nil } ?? own
  }

  private static var called: String? {
    let name = CommandLine.arguments[0]
    if name.hasPrefix("/") { return name }
    if name.contains("/") {
      return realPath(String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)])).map {
        "\($0)/\(name.split(separator: "/").last ?? "")"
      }
    }
    let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
    return folders.lazy.map { "\($0)/\(name)" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// The time in which git gets the lines of one version, in milliseconds.
  private static let costOfVersion = 8

  private static func diffText(_ hasDiff: Bool, versions: Int?) -> String {
    // The count is missing in a partial clone that lacks old folders.
    let seconds = versions.map { $0 * costOfVersion / 1_000 }
    let time =
      seconds.map { $0 == 0 ? "less than 1 s for all" : "about \($0) s for all" }
      ?? "about \(costOfVersion) ms each"
    let cost =
      """
      git starts this program once per version of an item (\(versions.map(String.init) ?? "?") in the \
      history, \(time))
      """
    return hasDiff
      ? """
      diff.notes-watch: git diff and git log -p show fields; \(cost), and caches them in \
      refs/notes/textconv
      """
      : "none; with --diff, git diff and git log -p show fields, and \(cost)"
  }
}

struct GitUninstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "Remove what install set up for a folder.",
    usage: "notes-watch git uninstall DIR",
    discussion: """
      The drivers are removed with the last folder of the repository that uses them.

      EXAMPLE
        notes-watch git uninstall contacts
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
  var folder: String

  func run() async throws {
    try GitDrivers(of: folder).uninstall()
  }
}

struct GitStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Check that git will run the drivers for a folder.",
    usage: "notes-watch git status DIR",
    discussion: """
      Each line that begins with `!` names something that keeps the drivers from running. The exit code is 1 \
      if there is such a line, otherwise 0.

      EXAMPLE
        notes-watch git status contacts
      """)

  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
  var folder: String

  func run() async throws {
    let drivers = try GitDrivers(of: folder)
    let status = try drivers.status()
    var output = BufferedOutput()
    try output.writeLines(
      [
        "merge driver  \(status.mergeProgram ?? "none")",
        """
        diff driver   \
        \(status.diffProgram ?? "none; `notes-watch git install --diff` sets it up for this folder")
        """,
        """
        attributes    \
        \(status.hasAttributes ? "\(drivers.attributesPath): \(status.handled) items below \(drivers.folder)" : "none")
        """,
      ] + status.warnings.map { "! \($0)" }
        + [
          "Each new clone needs its own `notes-watch git install`, and merges on a forge's website do not use the drivers."
        ])
    if !status.warnings.isEmpty { throw ExitCode(1) }
  }
}
