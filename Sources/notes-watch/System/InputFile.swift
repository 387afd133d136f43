import Glibc
import PlainStore

/// Reads files that the command line names, also pipes and standard input.
enum InputFile {
  /// Reads a file to its end. The name `-` is standard input.
  ///
  /// - Parameter maximum: the largest number of bytes that is accepted.
  static func read(_ name: String, upTo maximum: Int) throws(InputFileError) -> [UInt8] {
    if name == "-" { return try read(STDIN_FILENO, "Standard input", maximum) }
    let file = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    if file < 0 { throw InputFileError("The file \(name)", errno) }
    defer { close(file) }
    return try read(file, "The file \(name)", maximum)
  }

  /// Reads standard input to its end.
  static func readStandardInput(upTo maximum: Int) throws(InputFileError) -> [UInt8] {
    try read(STDIN_FILENO, "Standard input", maximum, limit: "for input")
  }

  private static func read(_ file: CInt, _ name: String, _ maximum: Int, limit: String = "for an item") throws(InputFileError)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &room, room.count)
      if count == 0 { return bytes }
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        if code == EAGAIN {
          var input = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
          poll(&input, 1, -1)
          continue
        }
        throw InputFileError(name, code)
      }
      bytes += room[..<count]
      if bytes.count > maximum { throw InputFileError(description: "\(name) has more than \(maximum) bytes, the limit \(limit).") }
    }
  }
}

/// A sentence that says which file cannot be read or written, and why.
struct InputFileError: Error, CustomStringConvertible {
  let description: String
}

extension InputFileError {
  /// - Parameter act: what failed, as a participle: `read`, `written`, `created`.
  init(_ name: String, _ code: CInt, act: String = "read") {
    self.init(description: "\(name) cannot be \(act): \(String(cString: strerror(code))).")
  }
}
