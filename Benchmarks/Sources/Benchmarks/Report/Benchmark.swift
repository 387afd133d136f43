/// Measures one or several rows of the table.
struct Benchmark {
  /// The rows in words, for messages and for a benchmark that cannot run.
  let name: String
  /// Programs without which it cannot run, with the Debian packages that have them.
  var needs: [String: String] = [:]
  let measure: (Setting) throws -> [Row]

  /// The rows of the table, in its order.
  static var all: [Benchmark] { reading + again + engine + watching + typing + writing + editing + sizes }

  /// Returns the rows; those that cannot be measured say why.
  func rows(in setting: Setting) -> [Row] {
    for (program, package) in needs.sorted(by: { $0.key < $1.key }) where Setting.path(of: program) == nil {
      return [Row(name, skipped: "`\(program)` is not installed (Debian: \(package))")]
    }
    do {
      return try measure(setting)
    } catch {
      return [Row(name, skipped: "failed: \(error)")]
    }
  }
}
