import Foundation

package enum BuiltProgram {
  /// The path of the program under test, which was built with the tests.
  package static let path: String = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("notes-watch").path
  }()
}
