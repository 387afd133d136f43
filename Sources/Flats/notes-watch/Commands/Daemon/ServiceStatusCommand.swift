import ArgumentParser
import Daemon

/// `service status`: says whether systemd runs the daemon.
struct ServiceStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Check that systemd runs the daemon.",
    usage: "notes-watch service status",
    discussion: """
      Each line that begins with `!` names something that keeps the daemon from running as it should. The exit code is 1 \
      if there is such a line, otherwise 0. `notes-watch status` shows what the daemon does.

      EXAMPLE
        notes-watch service status
      """)

  func run() throws {
    let report: ServiceReport
    do throws(ServiceError) {
      report = try ServiceReport(try ServiceCommand.units, program: RunningProgram.path, ServiceCommand.manager)
    } catch {
      throw Failure.report(error)
    }
    var output = BufferedOutput(StandardOutput())
    try output.writeLines(report.lines + report.warnings.map { "! \($0)" })
    if !report.warnings.isEmpty { throw ExitCode(1) }
  }
}
