import TestSupport

/// What kind of life a folder leads in a run.
enum Scenario: Int, CaseIterable {
  case saving, everything, folders, git, gitFolder, roots, overflows, permissions, polling, workTrees

  /// The last digits of a seed say it, so that a seed is all that a run needs.
  init(_ seed: UInt64) {
    self = Scenario.allCases[Int(seed % UInt64(Scenario.allCases.count))]
  }

  /// The nearest seed of this scenario.
  func seed(near seed: UInt64) -> UInt64 {
    let count = UInt64(Scenario.allCases.count)
    return (seed >> 8) / count * count + UInt64(rawValue)
  }

  /// Whether it needs git.
  var usesGit: Bool { hasGit || self == .workTrees }

  var rounds: Int { self == .polling ? 4 : 12 }

  /// There must be a root to start with.
  var mayLoseRoot: Bool { self == .roots || self == .gitFolder }

  var hasGit: Bool { self == .git || self == .gitFolder }

  /// Below the run's own folder.
  var root: ExactText { self == .gitFolder || self == .roots ? "above/root" : "root" }

  var views: [ListView] {
    // Whoever takes the root away or cleans it takes away the settings, too.
    hasGit || self == .roots || self == .workTrees ? ListView.all : ListView.all + [ListView.named, ListView.named]
  }
}

/// What is done between two looks.
struct RoundPlan {
  /// One list each program, all at the same time.
  var hands: [[Operation]]
  /// Nothing but saves: no item may go, not even for a moment.
  var isOnlySaves: Bool
  /// Files that were written once more after all that.
  var mended: [ExactText] = []

  static let none = RoundPlan(hands: [], isOnlySaves: true)

  private init(hands: [[Operation]], isOnlySaves: Bool) {
    self.hands = hands
    self.isOnlySaves = isOnlySaves
  }

  /// - Parameter mayStart: whether the program may be about to read its settings, which have to be good then.
  init(_ scenario: Scenario, _ view: ListView, mayStart: Bool, _ random: inout SeededGenerator) {
    let hands = random.oneIn(3) ? 1 : 1 + random.below(4)
    let savesOnly = scenario == .saving ? !random.oneIn(4) : random.oneIn(4)
    let (all, first) = (OperationMaker.paths, random.below(7))
    self.hands = (0..<hands).map { hand in
      // Around a first few that change from round to round, each hand its own.
      let own = all.indices.filter { $0 % hands == hand }.map { all[($0 + first * 22) % all.count] }
      var maker = OperationMaker(
        random: SeededGenerator(seed: random.next()), paths: own, needsView: view.isNamed, keepsSettings: mayStart,
        burst: scenario == .overflows ? (random.oneIn(6) ? 1_500 : 200) : 40)
      return (0..<(1 + random.below(random.oneIn(3) ? 12 : 4))).map { _ in
        RoundPlan.operation(&maker, scenario, savesOnly: savesOnly, isFirst: hand == 0)
      }
    }
    if !savesOnly, scenario.hasGit || scenario == .roots || scenario == .workTrees, random.oneIn(2) {
      // Alone, as it is most often.
      self.hands = [[self.hands[0][0]]]
    }
    isOnlySaves = savesOnly
  }

  private static func operation(_ maker: inout OperationMaker, _ scenario: Scenario, savesOnly: Bool, isFirst: Bool) -> Operation {
    if savesOnly { return isFirst && maker.random.oneIn(12) ? maker.disturbWatcher() : maker.save() }
    switch (scenario, maker.random.below(10)) {
    case (.git, 0..<6) where isFirst, (.gitFolder, 0..<6) where isFirst:
      return maker.random.oneIn(6) ? maker.commitAll() : maker.gitCommand()
    case (.workTrees, 0..<6) where isFirst: return maker.random.oneIn(4) ? maker.changeTrees() : maker.gitCommandInTree()
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
