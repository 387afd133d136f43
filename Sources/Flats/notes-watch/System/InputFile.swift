import ArgumentParser
import Files
import Glibc
import Store
import SystemPackage

/// Reads files that the command line names, also pipes and standard input.
enum InputFile {
  /// Reads a file to its end. The name `-` is standard input.
  ///
  /// - Parameter limit: What the maximum is for, in the message about a larger file.
  static func read(_ name: String, upTo maximum: Int, limit: String = "for an item") throws(Failure)
    -> [UInt8]
  {
    let title = name == "-" ? "Standard input" : "The file \(name)"
    do throws(Errno) {
      let bytes: [UInt8]?
      if name == "-" {
        bytes = try FileDescriptor.standardInput.readAll(upTo: maximum)
      } else {
        let file = try Descriptor.open(name, O_RDONLY | O_NOCTTY)
        bytes = try withExtendedLifetime(file) { file throws(Errno) in
          try FileDescriptor(rawValue: file.raw).readAll(upTo: maximum)
        }
      }
      if let bytes { return bytes }
    } catch {
      throw Failure(.noInput, title, error, act: "read")
    }
    throw Failure(.noInput, "\(title) has more than \(maximum) bytes, the limit \(limit).")
  }
}
