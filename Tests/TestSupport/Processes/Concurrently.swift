/// Calls `body` for each element, for a few of them at the same time. Use it for cases that mostly
/// wait for programs.
///
/// - Parameters:
///   - elements: The cases. They must not depend on each other.
///   - width: The maximum number of cases at the same time.
///   - body: The test of one case.
package func concurrently<Element: Sendable>(
  _ elements: some Sequence<Element>, width: Int = 4,
  _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (number, element) in elements.enumerated() {
      if number >= width { try await group.next() }
      group.addTask { try await body(element) }
    }
    try await group.waitForAll()
  }
}
