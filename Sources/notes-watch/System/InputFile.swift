import Glibc
import LinuxFiles
import PlainStore
import SystemPackage

/// A file that an argument names: anything that can be read to its end, a pipe too.
enum InputFile {
  /// All of its bytes; `-` is standard input.
  ///
  /// - Throws: a sentence that says why it cannot be read.
  static func read(_ name: String, upTo maximum: Int) throws(InputFileError) -> [UInt8] {
    if name == "-" { return try read(.standardInput, "Standard input", maximum) }
    let file: Descriptor
    do throws(Errno) { file = try Descriptor.open(name, O_RDONLY | O_NOCTTY) } catch { throw InputFileError("The file \(name)", error) }
    return try withExtendedLifetime(file) { file throws(InputFileError) in
      try read(FileDescriptor(rawValue: file.raw), "The file \(name)", maximum)
    }
  }

  /// All of standard input.
  static func readStandardInput(upTo maximum: Int) throws(InputFileError) -> [UInt8] {
    try read(.standardInput, "Standard input", maximum, limit: "that are read")
  }

  private static func read(
    _ file: FileDescriptor, _ name: String, _ maximum: Int, limit: String = "that an item may have"
  ) throws(InputFileError) -> [UInt8] {
    do throws(Errno) {
      if let bytes = try file.readAll(upTo: maximum) { return bytes }
    } catch {
      throw InputFileError(name, error)
    }
    throw InputFileError(description: "\(name) has more than the \(maximum) bytes \(limit).")
  }
}

struct InputFileError: Error, CustomStringConvertible {
  let description: String
}

extension InputFileError {
  init(_ name: String, _ error: Errno, act: String = "read") {
    self.init(description: "\(name) cannot be \(act): \(error.reason).")
  }
}
