import Glibc

/// Measures the program and its snapshot engine beside their yardsticks, and prints Markdown
/// tables.
///
/// ```
/// Benchmarks PROGRAM [ITEMS]      the table of README.md; the default is 100,000 items
/// Benchmarks engine [ITEMS]       the snapshot engine at several sizes, up to ITEMS (1,000,000)
/// Benchmarks models [ITEMS]       saving models beside GRDB; the default is 10,000 models
/// ```
@main
struct Benchmarks {
  @MainActor static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    let number = words.dropFirst().first.map { Int($0) ?? 0 }
    guard let first = words.first, number ?? 1 > 0 else {
      Setting.say("usage: Benchmarks PROGRAM [ITEMS]; or engine or models instead of PROGRAM")
      exit(64)
    }
    switch first {
    case "engine": try printScenarios(upTo: number ?? 1_000_000)
    case "models": try await printSaving(number ?? 10_000)
    default: try printRows(of: first, count: number ?? 100_000)
    }
  }

  /// Prints the rows as they are measured.
  private static func printRows(of program: String, count: Int) throws {
    guard access(program, X_OK) == 0 else { throw Failure("There is no program \(program).") }
    let setting = try Setting(program: program, count: max(count, 1_000))
    defer { setting.remove() }
    print(Row.head)
    for benchmark in Benchmark.all {
      Setting.say(benchmark.name)
      for row in benchmark.rows(in: setting) { print(row.markdown) }
      fflush(nil)
    }
  }

  /// Prints the times of saving models as files and as rows.
  private static func printSaving(_ count: Int) async throws {
    let setting = try Setting(program: CommandLine.arguments[0], count: count)
    defer { setting.remove() }
    print(try await SavingTable.measured(count, rounds: setting.rounds, in: setting.folder).markdown)
  }

  /// Prints the engine's times at several sizes, beside the standard library's difference.
  private static func printScenarios(upTo limit: Int) throws {
    let sizes = [1_000, 10_000, 100_000, 1_000_000].filter { $0 <= limit }
    var table = Table(sizes: sizes)
    for scenario in Scenario.all {
      for size in sizes where scenario.sizes.contains(size) {
        table.add(try scenario.measure(size), scenario, size)
      }
    }
    print(table.markdown)
  }
}
