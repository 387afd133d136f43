#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Glibc

/// Writes the manual pages from the program's help and the Markdown pages. It is a tool of the build
/// and is not installed.
@main
struct ManualPages {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let message = Array("ManualPages: \(error)\n".utf8)
      _ = write(STDERR_FILENO, message, message.count)
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard arguments.count == 4 else { throw ManualError("usage: ManualPages PROGRAM DOCS OUTPUT DATE") }
    let (program, folder, output, date) = (arguments[0], arguments[1], arguments[2], arguments[3])
    var docs: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".md") {
      docs[file] = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    for (page, inline) in Manual(try BuiltProgram(path: program).command(), docs: docs).pages() {
      try page.source(date: date, inline).write(toFile: "\(output)/\(page.name.file)", atomically: true, encoding: .utf8)
    }
  }
}
