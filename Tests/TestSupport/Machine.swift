import Foundation
import Glibc

/// What this machine offers, for tests that need more than the package itself.
package enum Machine {
  package static let isRoot = geteuid() == 0

  /// Returns true if a program of this name is installed.
  package static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// Returns true if a shell script succeeds here. It runs in a folder that it may write to.
  package static func canRun(_ script: String) -> Bool { (try? Shell.run(script, in: "/var/tmp")) != nil }
}
