/// Measures the snapshot engine and the standard library's difference on the same input in one
/// process, and prints a Markdown table.
///
/// The optional argument is the largest number of items; the default is 1,000,000.
@main
struct Benchmarks {
  static func main() throws {
    let limit = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
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
