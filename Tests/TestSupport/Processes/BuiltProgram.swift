import Foundation

package enum BuiltProgram {
  /// The path of the program under test, which was built with the tests.
  package static let path = path(of: "notes-watch")

  /// The path of another program that was built with the tests.
  package static func path(of name: String) -> String {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent(name).path
  }
}
