import Files
import Glibc

/// The path of this program, for other programs that run it.
enum RunningProgram {
  /// An absolute path. It is the one by which the program was called, if possible: a link outlives
  /// the file that it leads to.
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
