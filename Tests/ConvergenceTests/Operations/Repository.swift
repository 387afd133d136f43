import TestSupport

/// A git repository whose root, or a folder in it, is watched.
enum Repository {
  /// Tags of what there is to change to: `t2` changes, removes and adds files, `t3` changes some of the same lines, `t4` has none of the folder.
  static func make(at folder: ExactText, items: ExactText) throws {
    _ = try Shell.run(
      """
      set -e
      git init -q -b main .; git config gc.auto 0; git config core.quotePath false
      mkdir -p '\(items)'; echo outside > top.txt
      item() { printf 'rating: %s\\ngroup: "%s"\\nword: "%s"\\nuid: "u%s"\\n' "$2" "$3" "$4" "$5" > '\(items)'/"$1"; }
      mkdir -p '\(items)/sub/deep'
      i=0; for name in a.yaml b.yaml "i 2.yaml" "i 10.yaml" sub/a.yaml sub/b.yaml sub/deep/a.yaml n1.yaml n2.yaml n3.yaml n4.yaml n5.yaml; do
        item "$name" $((i % 10)) work red $i; i=$((i+1)); done
      git add -A; git commit -qm one; git tag t1
      item a.yaml 9 friends blue 0; item sub/a.yaml 1 family green 4; rm '\(items)'/n1.yaml '\(items)'/n2.yaml
      mkdir '\(items)/new'; for i in 1 2 3 4 5; do item new/m$i.yaml $i work green 2$i; done
      git mv '\(items)/sub/deep' '\(items)/moved' ; git add -A; git commit -qm two; git tag t2
      git checkout -q t1
      item a.yaml 2 work red 0; item n3.yaml 8 friends blue 9; git add -A; git commit -qm three
      item n4.yaml 7 friends blue 10; git add -A; git commit -qm 'three more'; git tag t3
      git checkout -q t1; git rm -rq --ignore-unmatch '\(items)/' ':!top.txt'; git commit -qm four; git tag t4
      git checkout -q main
      """, in: folder.description)
  }
}

/// What people do with git.
extension OperationMaker {
  /// One command; it may well fail, where the work tree or the index do not suit it.
  mutating func gitCommand() -> Operation {
    let tag = random.one(of: ["t1", "t2", "t3"])
    let command = random.one(of: [
      "git checkout -q -f \(tag)", "git checkout -q \(tag)", "git switch -q --detach \(tag)", "git switch -q main", "git stash -q -u",
      "git stash pop -q",
      "git stash -q", "git reset -q --hard \(tag)", "git reset -q \(tag)", "git merge -q --no-edit \(tag)", "git rebase -q \(tag)",
      "git cherry-pick \(tag)", "git restore -q -s \(tag) .", "git checkout -q \(tag) -- .", "git clean -qfd", "git status",
      "git commit -qam x",
      "git mv -k a.yaml sub", "git checkout -q -f t4",
    ])
    return OperationMaker.git(command)
  }

  /// Out of whatever a command left half done.
  static var endGitCommand: Operation {
    git("git rebase --abort || git merge --abort || git cherry-pick --abort; git reset -q --hard")
  }

  func commitAll() -> Operation { OperationMaker.git("git add -A; git commit -qm all") }

  private static func git(_ command: String) -> Operation {
    Operation(command) { place in
      // Where the branch lacks the folder, from what is left of the way to it.
      _ = try? Shell.run("cd '\(place.root)' 2>/dev/null || cd ..; { \(command); } || true", in: place.root.folder.description)
    }
  }
}
