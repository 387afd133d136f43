import ArgumentParser
import Files
import Glibc
import Store
import SystemPackage

/// Reads files that the command line names, also pipes and standard input.
enum InputFile {
  /// Reads a file to its end. The name `-` is standard input.
  static func read(_ name: String, upTo maximum: Int) throws(Failure) -> [UInt8] {
    if name == "-" { return try read(.standardInput, "Standard input", maximum) }
    let file: Descriptor
    do throws(Errno) { file = try Descriptor.open(name, O_RDONLY | O_NOCTTY) } catch {
      throw Failure(.noInput, "The file \(name)", error, act: "read")
    }
    return try withExtendedLifetime(file) { file throws(Failure) in
      try read(FileDescriptor(rawValue: file.raw), "The file \(name)", maximum)
    }
  }

  static func readStandardInput(upTo maximum: Int) throws(Failure) -> [UInt8] {
    try read(.standardInput, "Standard input", maximum, limit: "for input")
  }

  private static func read(
    _ file: FileDescriptor, _ name: String, _ maximum: Int, limit: String = "for an item"
  ) throws(Failure) -> [UInt8] {
    do throws(Errno) {
      if let bytes = try file.readAll(upTo: maximum) { return bytes }
    } catch {
      throw Failure(.noInput, name, error, act: "read")
    }
    throw Failure(.noInput, "\(name) has more than \(maximum) bytes, the limit \(limit).")
  }
}
