import Foundation
import Glibc
import TestSupport

/// A random life of a folder and of one consumer, whose watch is killed again and again.
struct KillRounds {
  static let rounds = 10

  let seed: UInt64
  let root: TemporaryFolder
  let outside: TemporaryFolder
  /// The options of the view.
  let view: [String]
  var random: SeededGenerator

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    view = random.one(of: KillRounds.views)
    root = try TemporaryFolder([
      "a.yaml": "k: 1\n", "b.yaml": "k: 2\n", ".notes-watch.yaml": "views: {v: {sort: k}}\n",
    ])
    try root.makeFolder("s")
    outside = try TemporaryFolder()
  }

  private static let views = [
    ["--sort", "k"], ["--sort", "-n", "--limit", "3"], ["--section", "k", "--sort", "n"],
    ["--where", "k > 3"], ["--fields", "k"],
    ["--view", "v"], ["--section", "@dir", "--sort", "-k,n"],
  ]

  var hasSections: Bool { view.contains("--section") }

  var environment: [String: String] { ["XDG_STATE_HOME": "\(outside.path)/state", "CONSUMER": outside.path] }

  /// Makes some random changes, each by one rename or one removal; sometimes of the settings.
  mutating func edit() throws {
    for _ in 0..<(1 + random.below(4)) {
      let name = random.one(of: ["a", "b", "c", "d", "s/e"]) + ".yaml"
      if view.first == "--view", random.oneIn(4) {
        try outside.write(
          "views: {v: {sort: \(random.one(of: ["k", "-k", "n"])), limit: \(1 + random.below(5))}}\n",
          to: "new")
        rename("\(outside.path)/new", "\(root.path)/.notes-watch.yaml")
      } else if random.oneIn(4) {
        unlink("\(root.path)/\(name)")
      } else {
        try outside.write("k: \(random.below(10))\nn: \(random.below(1_000_000))\n", to: "new")
        rename("\(outside.path)/new", "\(root.path)/\(name)")
      }
    }
  }

  /// A random moment, at which the program may be doing anything.
  mutating func pause() async throws { try await Task.sleep(for: .microseconds(random.below(60_000))) }

  /// The list that a fresh `list` prints, in order.
  func truth() async throws -> [JSON] {
    let end = try await BuiltProgram.start(["list", root.path, "-o", "json"] + view).end()
    return try JSON(end.output).list.map { ["id": $0.id, "value": $0.value] }
  }

  /// Ends, or waits for, the processes that a killed watch left behind, as a power cut or a reboot
  /// does.
  mutating func endOrphans() async throws {
    let kills = random.oneIn(2)
    while let orphans = try? orphans(), !orphans.isEmpty {
      if kills { for process in orphans { kill(process, SIGKILL) } }
      await Task.yield()
    }
  }

  /// The processes that have this consumer's folder in their environment.
  private func orphans() throws -> [pid_t] {
    let mark = Data("CONSUMER=\(outside.path)\0".utf8)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter {
      process in
      guard let environment = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ")) else {
        return false
      }
      return environment.range(of: mark) != nil
    }
  }
}

extension ConsumerLog {
  /// The list of the consumer, in the form of `KillRounds.truth`.
  func list() throws -> [JSON] {
    let values = try items()
    return ids.map { ["id": .string($0), "value": values[$0] ?? .null] }
  }
}
