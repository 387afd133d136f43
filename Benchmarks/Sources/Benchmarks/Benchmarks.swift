/// Measures the snapshot engine beside the standard library's difference, on the same input in the same process, and
/// prints one Markdown table.
///
/// An argument is the largest number of items (1,000,000 by default), for a quick look.
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
