import Glibc
import Serve
import Store
import SystemPackage
import Processes

/// The browser that `--open` starts. It gets the path of a page that leads to the server: only the page has
/// the token, so that no list of processes shows it. The page is removed when the token was used, or when the
/// server ends.
struct BrowserLaunch {
  private let page: String

  /// If the browser does not start, a message says so, and the server continues.
  static func start(_ origin: WebOrigin, _ access: ServeAccess, port: Int) throws -> BrowserLaunch {
    let folder = try PrivateFolder(environment: Environment.values(of: PrivateFolder.variables))
    let launch = BrowserLaunch(page: "\(folder.path)/open-\(port)-\(AccessTokens.random()).html")
    let token = access.tokens.makeOneTimeToken { launch.removePage() }
    let target = "\(origin)/session?token=\(token)"
    let html = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>notes-watch</title>
      <meta http-equiv="refresh" content="0; url=\(target)"><p><a href="\(target)">Open the list</a></p>
      """
    do throws(Errno) {
      try PrivateFile.write(Array("\(html)\n".utf8), to: launch.page)
    } catch {
      throw Failure(
        .cannotCreate, "The page \(launch.page) for the browser cannot be written: \(error.reason).")
    }
    onOwnThread("browser") { run(launch.page, access.rules.urlCommand) }
    return launch
  }

  func removePage() { unlink(page) }

  /// Runs the browser until it ends, or has passed the page on.
  private static func run(_ page: String, _ urlCommand: String) {
    let command =
      Environment.value(of: "BROWSER").flatMap { $0.split(separator: ":").first }.map(String.init)
      ?? "xdg-open"
    let advice = "For an address that you can open yourself, run: \(urlCommand)"
    do throws(Errno) {
      // Browsers write messages that are of no use to the user of this program.
      let nothing = try Descriptor.open("/dev/null", O_RDWR).release()
      defer { close(nothing) }
      let child = try Child(
        shell: "\(command) \"$@\"", [command, "file://\(page)"], Child.Streams(nothing), .isolated)
      if child.reap() != .exited(0) {
        StandardError.reportLine("warning: The browser `\(command)` failed. \(advice)")
      }
    } catch {
      StandardError.reportLine(
        "warning: The browser `\(command)` cannot be started: \(error.reason). \(advice)")
    }
  }
}
