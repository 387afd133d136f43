import Foundation
import TestSupport

/// The kind of changes in a run.
enum Scenario: Int, CaseIterable {
  case saving, everything, folders, git, gitFolder, roots, overflows, permissions, polling, workTrees

  /// Returns the scenario that a seed selects, so that a run needs only a seed.
  init(_ seed: UInt64) {
    self = Scenario.allCases[Int(seed % UInt64(Scenario.allCases.count))]
  }

  /// Returns a seed of this scenario near the given number.
  func seed(near seed: UInt64) -> UInt64 {
    let count = UInt64(Scenario.allCases.count)
    return (seed >> 8) / count * count + UInt64(rawValue)
  }

  /// True if it needs git.
  var usesGit: Bool { hasGit || self == .workTrees }

  /// The number of rounds of a run. A seed that is given gets all of them, and so do many runs.
  var rounds: Int {
    let isShort = Randomness.factor == 1 && ProcessInfo.processInfo.environment["NOTES_WATCH_SEED"] == nil
    return self == .polling ? (isShort ? 2 : 4) : (isShort ? 6 : 12)
  }

  /// True if the root can be missing during the run, so the run begins after the program has read
  /// it.
  var mayLoseRoot: Bool { self == .roots || self == .gitFolder }

  var hasGit: Bool { self == .git || self == .gitFolder }

  /// The watched folder, below the folder of the run.
  var root: ExactText { self == .gitFolder || self == .roots ? "above/root" : "root" }

  var views: [ListView] {
    // Removing or cleaning the root removes the settings, too.
    hasGit || self == .roots || self == .workTrees
      ? ListView.all : ListView.all + [ListView.named, ListView.named]
  }
}

/// The operations between two comparisons.
struct RoundPlan {
  /// One list of operations per program. The programs run at the same time.
  var hands: [[Operation]]
  /// True if all operations are saves, so that no item may be removed, even for a moment.
  var isOnlySaves: Bool
  /// Files that were repaired after the operations.
  var repaired: [ExactText] = []

  static let none = RoundPlan(hands: [], isOnlySaves: true)

  private init(hands: [[Operation]], isOnlySaves: Bool) {
    self.hands = hands
    self.isOnlySaves = isOnlySaves
  }

  /// - Parameter mayStart: whether the program may still read its settings for the first time, so
  ///   that they must be valid.
  init(_ scenario: Scenario, _ view: ListView, mayStart: Bool, _ random: inout SeededGenerator) {
    let hands = random.oneIn(3) ? 1 : 1 + random.below(4)
    let savesOnly = scenario == .saving ? !random.oneIn(4) : random.oneIn(4)
    let (all, first) = (OperationMaker.paths, random.below(7))
    self.hands = (0..<hands).map { hand in
      // Each program has its own paths, and prefers a few that change from round to round.
      let own = all.indices.filter { $0 % hands == hand }.map { all[($0 + first * 22) % all.count] }
      var maker = OperationMaker(
        random: SeededGenerator(seed: random.next()), paths: own, needsView: view.isNamed,
        keepsSettings: mayStart,
        burst: scenario == .overflows ? (random.oneIn(6) ? 1_500 : 200) : 40)
      return (0..<(1 + random.below(random.oneIn(3) ? 12 : 4))).map { _ in
        RoundPlan.operation(&maker, scenario, savesOnly: savesOnly, isFirst: hand == 0)
      }
    }
    if !savesOnly, scenario.hasGit || scenario == .roots || scenario == .workTrees, random.oneIn(2) {
      // One operation alone, which is the most frequent case.
      self.hands = [[self.hands[0][0]]]
    }
    isOnlySaves = savesOnly
  }

  private static func operation(
    _ maker: inout OperationMaker, _ scenario: Scenario, savesOnly: Bool, isFirst: Bool
  ) -> Operation {
    if savesOnly { return isFirst && maker.random.oneIn(12) ? maker.disturbWatcher() : maker.save() }
    switch (scenario, maker.random.below(10)) {
    case (.git, 0..<6) where isFirst, (.gitFolder, 0..<6) where isFirst:
      return maker.random.oneIn(6) ? maker.commitAll() : maker.gitCommand()
    case (.workTrees, 0..<6) where isFirst:
      return maker.random.oneIn(4) ? maker.changeTrees() : maker.gitCommandInTree()
    case (.roots, 0..<5) where isFirst: return maker.changeRoot()
    case (.permissions, 0..<4): return maker.changePermissions()
    case (.folders, 0..<7): return maker.moveFolders()
    case (.overflows, 0..<3): return maker.burstOfFiles()
    case (_, 0): return isFirst ? maker.disturbWatcher() : maker.save()
    case (_, 1): return isFirst ? maker.special() : maker.removeBurst()
    case (_, 2..<6): return maker.move()
    default: return maker.save()
    }
  }
}
