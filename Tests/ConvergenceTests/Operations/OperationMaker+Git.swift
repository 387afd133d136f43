import TestSupport

/// The git repository of a run, whose root or one of its folders is watched.
enum TaggedRepository {
  /// Creates the repository at `t1`. `t2` changes, removes and adds files, `t3` changes some of the
  /// same lines, and `t4` lacks the folder.
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

/// A repository beside the root; in the root a clone of it, a linked work tree and a repository
/// with a submodule.
enum WorkTrees {
  static let all = ["clone", "tree", "super", "super/part"]

  static func make(in top: ExactText, root: ExactText) throws {
    Disk.makeFolders(top + "/repository")
    try TaggedRepository.make(at: top + "/repository", items: ".")
    _ = try Shell.run(
      """
      set -e
      git clone -q '\(top)/repository' clone; git -C '\(top)/repository' worktree add -q --detach '\(root)/tree' t3
      git init -q -b main super; cd super; echo 'rating: 1' > own.yaml
      git -c protocol.file.allow=always submodule --quiet add '\(top)/repository' part; git add .; git commit -qm one; git tag s1
      git -C part checkout -q t2; echo 'rating: 2' > own.yaml; git add .; git commit -qm two; git tag s2
      """, in: root.description)
  }
}

/// Git commands, as people run them.
extension OperationMaker {
  /// Returns one command. It may fail if the work tree or the index do not allow it.
  mutating func gitCommand() -> Operation { OperationMaker.git(gitCommandText()) }

  private mutating func gitCommandText() -> String {
    let tag = random.one(of: ["t1", "t2", "t3"])
    return random.one(of: [
      "git checkout -q -f \(tag)", "git checkout -q \(tag)", "git switch -q --detach \(tag)",
      "git switch -q main", "git stash -q -u",
      "git stash pop -q",
      "git stash -q", "git reset -q --hard \(tag)", "git reset -q \(tag)", "git merge -q --no-edit \(tag)",
      "git rebase -q \(tag)",
      "git cherry-pick \(tag)", "git restore -q -s \(tag) .", "git checkout -q \(tag) -- .", "git clean -qfd",
      "git status",
      "git commit -qam x",
      "git mv -k a.yaml sub", "git checkout -q -f t4",
    ])
  }

  /// Returns a command in one of the work trees below the root.
  mutating func gitCommandInTree() -> Operation {
    let tree = random.one(of: WorkTrees.all + ["clone", "tree"])
    if tree == "super" {
      let command = random.one(of: [
        "git checkout -q --recurse-submodules s1", "git checkout -q --recurse-submodules s2",
        "git submodule --quiet update --force",
        "git checkout -q -f s1", "git stash -q -u",
      ])
      return OperationMaker.git(command, in: tree)
    }
    let command = gitCommandText()
    return OperationMaker.git(command, in: tree)
  }

  /// Returns a command that creates, moves or removes a work tree.
  mutating func changeTrees() -> Operation {
    let command = random.one(of: [
      "git clone -q clone more", "rm -rf more", "git -C clone worktree add -q --detach ../linked t2",
      "git -C clone worktree remove --force ../linked",
      "mv clone moved-clone", "mv moved-clone clone", "rm -rf more/.git",
      "cd sub && git init -q . && git add . && git commit -qm x",
      "rm -rf sub/.git",
      "git -C super submodule --quiet deinit -f part",
      "git -C super -c protocol.file.allow=always submodule --quiet update --init",
      "git -C clone worktree move ../linked ../x",
    ])
    return OperationMaker.git(command)
  }

  /// Returns the command that ends a rebase, a merge or a cherry-pick that is incomplete.
  static func endGitCommand(in tree: String? = nil) -> Operation {
    git("git rebase --abort || git merge --abort || git cherry-pick --abort; git reset -q --hard", in: tree)
  }

  func commitAll() -> Operation { OperationMaker.git("git add -A; git commit -qm all") }

  private static func git(_ command: String, in tree: String? = nil) -> Operation {
    Operation("\(tree.map { "in \($0): " } ?? "")\(command)") { place in
      // A branch may lack the folder; then the command runs in the folder above it.
      let change =
        tree.map { "cd '\(place.root)/\($0)' 2>/dev/null || exit 0" }
        ?? "cd '\(place.root)' 2>/dev/null || cd .."
      _ = try? Shell.run("\(change); { \(command); } || true", in: place.root.folder.description)
    }
  }
}
