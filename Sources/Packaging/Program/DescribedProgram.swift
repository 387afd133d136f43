import Glibc
import Values

/// The program that is described.
struct DescribedProgram {
  /// The path of the program.
  let path: String

  /// Returns its commands.
  func command() throws -> ProgramCommand {
    let dump = try Array(output(["--experimental-dump-help"]).utf8)
    guard let description = try PackedValue(reading: dump, as: .json).value["command"] else {
      throw PackagingError("\(path) does not describe its commands.")
    }
    return try ProgramCommand(description) { path in try output(path.dropFirst() + ["--help"]) }
  }

  /// Returns what the program prints.
  private func output(_ arguments: [String]) throws -> String {
    let words = ([path] + arguments).map { "'\($0.replacing("'", with: "'\\''"))'" }
    guard let pipe = popen(words.joined(separator: " "), "r") else { throw PackagingError("\(path) cannot be run.") }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
    guard pclose(pipe) == 0 else { throw PackagingError("\(words.joined(separator: " ")) failed.") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
