import Files
import Glibc
import SystemPackage

/// Standard error as the place of log lines.
package enum LogOutput {
  /// Writes a line to standard error. A failure is ignored.
  package static func write(_ line: [UInt8]) { write(line, to: STDERR_FILENO) }

  /// Writes a line to a descriptor. A reader that is gone does not end the program.
  package static func write(_ line: [UInt8], to descriptor: CInt) {
    try? withoutSIGPIPE { () throws(Errno) in try FileDescriptor(rawValue: descriptor).write(all: line) }
  }
}
