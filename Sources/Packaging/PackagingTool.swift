import Daemon
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Glibc

/// Writes what is installed beside the program: the manual pages, from its help and the Markdown
/// pages, and the systemd user units. It is a tool of the build and is not installed.
@main
struct PackagingTool {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let message = Array("Packaging: \(error)\n".utf8)
      _ = Glibc.write(STDERR_FILENO, message, message.count)
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("manual", 5): try writeManual(program: arguments[1], docs: arguments[2], date: arguments[3], to: arguments[4])
    case ("units", 3): try writeUnits(program: arguments[1], to: arguments[2])
    default: throw PackagingError("usage: Packaging manual PROGRAM DOCS DATE OUTPUT\n       Packaging units PROGRAM OUTPUT")
    }
  }

  /// - Parameter date: The date of the pages: `November 22, 2026`.
  private static func writeManual(program: String, docs folder: String, date: String, to output: String) throws {
    var docs: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".md") {
      docs[file] = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }
    for (page, inline) in Manual(try DescribedProgram(path: program).command(), docs: docs).pages() {
      try save(page.source(date: date, inline), to: page.name.file, in: output)
    }
  }

  /// - Parameter program: The path that the program will have.
  private static func writeUnits(program: String, to output: String) throws {
    let unit = try ServiceUnit(program: program, configuration: nil, hasSocket: true)
    for name in unit.names { try save(unit.text(of: name), to: name.rawValue, in: output) }
  }

  private static func save(_ text: String, to name: String, in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }
}
