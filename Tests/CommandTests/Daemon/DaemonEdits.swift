import TestSupport

/// Random edits of a folder in a git repository, as editors, tools and git make them.
struct DaemonEdits {
  private var random: SeededGenerator
  private static let names = ["a", "b", "c", "d", "e 1", "sub/f", "sub/g", "sub/deep/h", "new/i"]
  private static let groups = ["work", "friends", "family", ""]

  init(_ random: SeededGenerator) {
    self.random = random
  }

  /// The files of the first commit. The second one, tagged `later`, changes some of them.
  static func repository() throws -> Repository {
    var files: [String: String] = [:]
    for (index, name) in names.dropLast().enumerated() {
      files["\(name).yaml"] = "name: \(name) a\(index)\nrating: \(index)\ngroup: \(groups[index % 4])\n"
    }
    let repository = try Repository(files)
    try repository.folder.shell(
      """
      git tag first; sed -i 's/rating: .*/rating: 9/' a.yaml b.yaml; git rm -q c.yaml; mkdir moved; git mv sub/f.yaml moved/f.yaml
      git commit -qam later; git tag later; git checkout -q first
      """)
    return repository
  }

  /// Returns a script of some edits. Files may be broken in between, but not at the end.
  mutating func script() -> String {
    (0..<1 + random.below(5)).map { _ in edit() }.joined(separator: "\n") + "\n" + repair
  }

  private mutating func edit() -> String {
    let (file, other) = ("\(random.one(of: Self.names)).yaml", "\(random.one(of: Self.names)).yaml")
    let text =
      "name: n\(random.below(30))\\nrating: \(random.below(10))\\ngroup: '\(random.one(of: Self.groups))'\\n"
    let folder = "mkdir -p \"$(dirname '\(file)')\" \"$(dirname '\(other)')\""
    return switch random.below(9) {
    case 0, 1: "\(folder); printf \"\(text)\" > '\(file)'"
    case 2: "\(folder); printf \"\(text)\" > .tmp; mv .tmp '\(file)'"
    case 3: "rm -f '\(file)'"
    case 4: "\(folder); mv -f '\(file)' '\(other)' 2>/dev/null || :"
    case 5: "git checkout -q -f \(random.one(of: ["first", "later"])) || :"
    case 6: "\(folder); printf 'name: [\\n' > '\(file)'; printf \"\(text)\" > '\(file)'"
    case 7: "mv sub other 2>/dev/null && mv other sub || :"
    default: "git stash -q -u && git stash pop -q || :"
    }
  }

  /// Removes what git may have left with conflict markers.
  private var repair: String {
    "grep -rlE '^(<<<<<<<|name: .$)' --include='*.yaml' . | while read -r f; do rm \"$f\"; done; :"
  }
}
