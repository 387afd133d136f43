import Foundation
import Glibc
import TestSupport
import Testing

/// A watch that runs for long needs no more memory than one that has just begun.
@Suite(.serialized, .timeLimit(.minutes(60))) struct MemoryTests {
  private static let patience = Duration.seconds(40) * Patience.factor
  /// The most that may be added by all updates after the first ones: fragments of the heap, no
  /// leak.
  private static let maxGrowth = 16 << 20

  /// `make stress` makes 100,000 updates.
  @Test func `memory does not grow with the number of updates`() async throws {
    let count = Randomness.factor == 1 ? 100 : 2_000 * Randomness.factor
    let names = (0..<50).map { "root/\($0).yaml" }
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "n: 0\n") }))
    let program = try Program(
      "/bin/sh", ["-c", "exec '\(BuiltProgram.path)' root -o jsonl > lines"], folder: folder.path)
    try await Self.wait { try Self.size(of: "lines", in: folder) > 0 }
    try await Self.update(names, count / 4, from: 1, in: folder)
    let before = try Self.residentMemory(of: program)
    try await Self.update(names, count, from: count, in: folder)
    let after = try Self.residentMemory(of: program)
    #expect(after < before + Self.maxGrowth, "\(before) \(after)")
  }

  /// Makes updates one after the other, each after the line of the one before it.
  private static func update(_ names: [String], _ count: Int, from first: Int, in folder: TemporaryFolder)
    async throws
  {
    for number in first..<first + count {
      let size = try size(of: "lines", in: folder)
      try folder.write("n: \(number)\n", to: names[number % names.count])
      try await wait { try Self.size(of: "lines", in: folder) > size }
    }
  }

  private static func wait(until condition: () throws -> Bool) async throws {
    let end = ContinuousClock.now + patience
    while try !condition() {
      try #require(ContinuousClock.now < end, "nothing was printed")
      try await Task.sleep(for: .microseconds(200))
    }
  }

  private static func size(of name: String, in folder: TemporaryFolder) throws -> Int {
    var status = stat()
    return stat("\(folder.path)/\(name)", &status) == 0 ? Int(status.st_size) : 0
  }

  /// The resident memory of a program, in bytes.
  private static func residentMemory(of program: Program) throws -> Int {
    let lines = try String(contentsOfFile: "/proc/\(program.process)/status", encoding: .utf8).split(
      separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("VmRSS:") })
    return try #require(
      line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }) << 10
  }
}
