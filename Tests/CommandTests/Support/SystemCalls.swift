import Foundation
import TestSupport

/// The system calls of the program while it saves, as strace reports them.
struct SystemCalls {
  struct Call: Hashable {
    let name: String
    /// The number of this call among the calls of its name in its thread, from 1.
    let number: Int
    let line: String
  }

  /// The calls of the saving thread, beginning with the lock of the folder.
  let calls: [Call]

  static let strace = "/usr/bin/strace"
  private static let names =
    "openat,openat2,flock,fcntl,read,pread64,write,fchmod,fchown,fsync,syncfs,renameat,renameat2,linkat,unlinkat,mkdirat,statx,newfstatat,flistxattr,faccessat2,faccessat,close,getdents64,lseek"

  /// Traces one run of the program.
  static func trace(_ arguments: [String], in folder: TemporaryFolder) async throws -> SystemCalls {
    let log = "\(folder.path)/trace"
    let end = try await Program(
      strace, ["-f", "-o", log, "-e", "trace=\(names)", BuiltProgram.path] + arguments, folder: folder.path
    ).end()
    guard end.status == .exited(0) else {
      throw Program.Timeout(description: "\(arguments): \(end.errorText)")
    }
    return SystemCalls(try String(contentsOfFile: log, encoding: .utf8))
  }

  private init(_ log: String) {
    let lines = log.split(separator: "\n").compactMap { line -> (thread: Substring, text: String)? in
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      // A short process number is followed by several blanks.
      guard parts.count == 2, case let text = parts[1].trimmingCharacters(in: .whitespaces),
        text.first?.isLetter == true
      else {
        return nil
      }
      return (parts[0], text)
    }
    guard let saver = lines.first(where: { $0.text.hasPrefix("flock(") })?.thread else {
      calls = []
      return
    }
    var counts: [String: Int] = [:]
    var found: [Call] = []
    for line in lines where line.thread == saver {
      let name = String(line.text.prefix { $0 != "(" })
      counts[name, default: 0] += 1
      if name == "flock" || !found.isEmpty {
        found.append(Call(name: name, number: counts[name] ?? 0, line: line.text))
      }
    }
    calls = found
  }

  /// Runs the program and kills it when it begins a call.
  ///
  /// - Returns: false if the program never made this call.
  static func kill(at call: Call, _ arguments: [String], in folder: TemporaryFolder) async throws -> Bool {
    let inject = ["-e", "trace=\(call.name)", "-e", "inject=\(call.name):signal=KILL:when=\(call.number)"]
    let end = try await Program(
      strace, ["-f", "-o", "/dev/null"] + inject + [BuiltProgram.path] + arguments, folder: folder.path
    ).end()
    return end.status == .signaled(9) || end.status == .exited(137)
  }
}
