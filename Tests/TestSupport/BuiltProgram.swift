import Foundation

package enum BuiltProgram {
  /// The program under test, as it was built beside the tests.
  package static let path: String = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("notes-watch").path
  }()
}
