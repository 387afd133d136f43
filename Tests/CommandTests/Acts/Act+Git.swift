/// Git commands in a repository whose folder `notes` is watched.
extension Act {
  /// Creates the branches. `main` has a, b, c and twenty more items. `other` changes two and
  /// fifteen of them, removes c and adds d. `feature` has twenty commits. `conflict` changes a in
  /// another way than `other`. `without` lacks the folder.
  static let repositoryScript = """
    git init -q -b main .; mkdir -p notes/sub; touch keep
    for f in a b c; do echo "$f: main" > notes/$f.yaml; done; for i in $(seq 10 29); do echo "n: $i" > notes/sub/$i.yaml; done
    git add .; git commit -qm main; git branch base
    git checkout -q -b other; for f in a b d; do echo "$f: other" > notes/$f.yaml; done; rm notes/c.yaml
    for i in $(seq 10 24); do echo "n: o$i" > notes/sub/$i.yaml; done; git add -A notes; git commit -qm other
    git checkout -q -b feature base
    for i in $(seq 20); do echo "e: $i" > notes/e$i.yaml; echo "c: $i" > notes/c.yaml; git add notes; git commit -qm $i; done
    git checkout -q -b conflict base; echo 'a: mine' > notes/a.yaml; git commit -qam mine
    git checkout -q -b without base; git rm -qr notes; git commit -qm without
    git checkout -q main; echo 'f: f' > notes/f.yaml; git add notes; git commit -qm f; git status > /dev/null
    """

  private static let othersChange = "git: 1 delete, 1 insert, 17 update"
  private static let changed = "echo 'a: x' > notes/a.yaml; echo 'k: x' > notes/new.yaml"

  private static func command(
    _ script: String, name: String? = nil, root: String = "notes", after before: String = "true",
    _ lines: String...,
    standingProblems: Int = 0
  ) -> Act {
    Act(
      name: name ?? "`\(script)`", root: root, isInRepository: true, before: before,
      // The output of git is not used.
      script: "{ \(script); } > /dev/null 2>&1", lines: lines, standingProblems: standingProblems)
  }

  static let git = [
    command("git checkout other", "git: 2 delete, 1 insert, 17 update"),
    command("git switch feature", "git: 1 delete, 20 insert, 1 update"),
    command("git checkout other -- notes/a.yaml notes/b.yaml", "git: 2 update"),
    command("git restore --source other notes/a.yaml notes/b.yaml", "git: 2 update"),
    command("git restore --source other notes", "git: 2 delete, 1 insert, 17 update"),
    command("git restore .", after: "rm notes/a.yaml; echo 'b: x' > notes/b.yaml", "git: 1 insert, 1 update"),
    command("git reset --hard other", "git: 2 delete, 1 insert, 17 update"),
    command(
      "git merge main", name: "`git merge`, fast-forward", after: "git checkout -q base", "git: 1 insert"),
    command("git merge other", othersChange),
    command(
      "git merge other || true", name: "`git merge` that conflicts", after: "git checkout -q conflict",
      "git: 1 delete, 1 insert, 16 update",
      "problem: a.yaml"),
    command(
      "git merge --abort", after: "git checkout -q conflict; git merge -q other > /dev/null || true",
      backFromOther, "solved: a.yaml",
      standingProblems: 1),
    command(
      "git rebase main", name: "`git rebase` of 20 commits", after: "git checkout -q feature", "git: 1 insert"
    ),
    command(
      "git rebase --apply main", name: "`git rebase --apply` of 20 commits", after: "git checkout -q feature",
      "git: 1 insert"),
    command(
      "git rebase other || true", name: "`git rebase` that stops at a conflict",
      after: "git checkout -q conflict",
      "git: 1 delete, 1 insert, 16 update", "problem: a.yaml"),
    command(
      "git rebase --abort", after: stoppedRebase, "git: 1 delete, 3 insert, 16 update", "solved: a.yaml",
      standingProblems: 1),
    command(
      "git rebase --continue", name: "`git rebase --continue` to the end",
      after: "\(stoppedRebase); echo 'a: both' > notes/a.yaml; git add notes",
      "git: 1 insert"),
    command("git cherry-pick other", othersChange),
    command(
      "git cherry-pick base..feature", name: "`git cherry-pick` of 20 commits", "git: 20 insert, 1 update"),
    command("git revert --no-edit HEAD", after: "git cherry-pick other > /dev/null", othersChange),
    command("git stash", after: changed, "git: 1 update"),
    command("git stash --include-untracked", after: changed, "git: 1 delete, 1 update"),
    command("git stash pop", after: "\(changed); git stash -qu", "git: 1 insert, 1 update"),
    command(
      "git pull --no-rebase up main", name: "`git pull`",
      after: "\(upstream); (cd .up; git merge -q origin/other)", othersChange),
    command(
      "git pull --rebase up main", name: "`git pull --rebase` of 20 commits",
      after: "\(upstream); git checkout -q feature", "git: 1 insert"
    ),
    command(
      "git am .patches/*", name: "`git am` of 20 patches",
      after: "git format-patch -q -o .patches base..feature",
      "git: 20 insert, 1 update"),
    command("git mv notes/a.yaml notes/z.yaml", "git: 1 delete, 1 insert"),
    command("git rm notes/a.yaml notes/b.yaml", "git: 2 delete"),
    command(
      "git stash --include-untracked", name: "`git stash --include-untracked` of untracked files alone",
      after: untracked, "git: 2 delete"),
    command(
      "git stash pop", name: "`git stash pop` of those", after: "\(untracked); git stash -qu", "git: 2 insert"
    ),
    command("git checkout -- notes/a.yaml", after: "echo 'a: x' > notes/a.yaml", "git: 1 update"),
    command(
      "git bisect good", after: "git checkout -q feature; git bisect start HEAD base",
      "git: 5 insert, 1 update"),
    command(
      "git apply --index .patch", after: "git diff main other > .patch; git status",
      "git: 2 delete, 1 insert, 17 update"),
    command("git sparse-checkout set nothing", root: ".", after: "git status", "git: 24 delete"),
    command(
      "git sparse-checkout disable", root: ".", after: "git status; git sparse-checkout set nothing",
      "git: 24 insert"),
    command(
      "git pull --rebase --autostash up main", name: "`git pull --rebase --autostash`",
      after: "\(upstream); git checkout -q feature; echo 'a: x' > notes/a.yaml", "git: 1 insert"),
    command("git clean -fd", after: changed, "files: 1 delete"),
    command(
      "git checkout other", name: "`git checkout` of a branch into an empty folder",
      after: "git checkout -q without; mkdir -p notes",
      "git: 23 insert"),
    command(
      "git checkout other", name: "`git checkout`, the root being the repository", root: ".",
      "git: 2 delete, 1 insert, 17 update"),
    command(
      "cd tree; git checkout --detach other", name: "`git checkout` in a linked work tree",
      root: "tree/notes",
      after: "git worktree add -q --detach tree",
      "git: 2 delete, 1 insert, 17 update"),
    command(
      "cd super/sub; git checkout origin/other", name: "`git checkout` in a submodule",
      root: "super/sub/notes",
      after:
        "git init -q super; cd super; git -c protocol.file.allow=always submodule --quiet add \"$OLDPWD\" sub 2> /dev/null; cd ..",
      "git: 2 delete, 1 insert, 17 update"),
    command("git clone . new", name: "`git clone` into the root", root: ".", "git: 24 insert"),
    command(
      "cd new; git checkout origin/other", name: "`git checkout` in a clone in the root", root: ".",
      after: "git clone -q . new",
      othersCheckout),
    command(
      "cd all/7; git checkout origin/other", name: "… in one of 20 in a root that is no repository",
      root: "all",
      after: "mkdir all; for i in $(seq 20); do git clone -q . all/$i; done", othersCheckout),
    command(
      "git worktree add --detach tree", name: "`git worktree add` in the root", root: ".", "git: 24 insert"),
    command(
      "cd tree; git checkout --detach other", name: "`git checkout` in a work tree in the root", root: ".",
      after: "git worktree add -q --detach tree", othersCheckout),
    command(
      "git worktree remove tree", root: ".", after: "git worktree add -q --detach tree", "files: 24 delete"),
    command(
      "git -c protocol.file.allow=always submodule add ./.lib one", name: "`git submodule add`", root: ".",
      after: library, "git: 4 insert"),
    command(
      "git checkout --recurse-submodules two", name: "`git checkout --recurse-submodules` with two",
      root: ".", after: submodules,
      "git: 2 insert, 7 update"),
    command(
      "git submodule update", name: "`git submodule update` of two", root: ".",
      after: "\(submodules); git checkout -q two",
      "git: 2 insert, 6 update"),
    command(
      "cd one; git checkout origin/more", name: "`git checkout` in a submodule in the root", root: ".",
      after: submodules,
      "git: 1 insert, 3 update"),
    command(
      "git status; git diff; git log; git fetch .; git commit --allow-empty -m x; git gc",
      name: "`git status`, `diff`, `log`, `fetch`, `commit`, `gc`",
      after: "touch notes/*.yaml"),
    command(
      "git status & mv notes/a.yaml notes/a.yaml~; echo 'a: x' > notes/a.yaml; wait",
      name: "a save beside `git status`", "files: 1 update"),
  ]

  private static let othersCheckout = "git: 2 delete, 1 insert, 17 update"
  private static let untracked = "echo 'k: x' > notes/new.yaml; echo 'k: y' > notes/newer.yaml"
  private static let library = """
    git init -q -b main .lib; cd .lib; for i in 1 2 3; do echo "n: $i" > $i.yaml; done; echo 'n: 4' > -.yaml; git add .; git commit -qm 1
    git checkout -q -b more; for i in 1 2 3 5; do echo "n: o$i" > $i.yaml; done; git add .; git commit -qm 2; git checkout -q main; cd ..
    """
  /// With submodules `one` and `two`, of which the branch `two` has the library's `more`.
  private static let submodules = """
    \(library); for sub in one two; do git -c protocol.file.allow=always submodule --quiet add ./.lib $sub 2> /dev/null; done; git commit -qm subs
    git checkout -q -b two; for sub in one two; do git -C $sub checkout -q origin/more; done; echo 'b: two' > notes/b.yaml; git add notes one two; git commit -qm two
    git checkout -q --recurse-submodules main
    """
  private static let backFromOther = "git: 1 delete, 2 insert, 16 update"
  /// What it replays after the conflict is one file more.
  private static let stoppedRebase = """
    git checkout -q conflict; echo 'g: g' > notes/g.yaml; git add notes; git commit -qm g; git rebase -q other > /dev/null 2>&1 || true
    """
  private static let upstream = "git clone -q -b main . .up; git remote add up \"$PWD/.up\""
}
