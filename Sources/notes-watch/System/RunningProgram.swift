import Glibc
import LinuxFiles

/// This program, as others can run it.
enum RunningProgram {
  /// An absolute path, and where it can be the one that the program was called by: a link outlives the file that it leads to.
  static var path: String {
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
}
