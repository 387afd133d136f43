import Glibc

/// Reading a folder again that has not changed.
extension Benchmark {
  static var again: [Benchmark] {
    [
      Benchmark(name: "second list of an unchanged folder", needs: ["git": "git"]) { setting in
        let path = try setting.repository()
        let status = ["git", "-C", path, "status", "--porcelain"]
        let list = [setting.program, "list", path, "-o", "id"]
        try setting.removeCache()
        // What was written a moment ago is not cached.
        sleep(3)
        try Child(list).wait().check()
        let found = try Medians.inTurn(setting.rounds, [status, list])
        return [
          Row(
            "second list of an unchanged folder", .time(found[1].time), than: .time(found[0].time),
            of: "`git status`", .atMost(1.5))
        ]
      },
      Benchmark(name: "`--once --state` with nothing changed", needs: ["git": "git"]) { setting in
        let path = try setting.repository()
        let status = ["git", "-C", path, "status", "--porcelain"]
        let once = [setting.program, path, "--state", "\(setting.folder)/state", "--once", "-o", "jsonl"]
        try Child(once).wait().check()
        let found = try Medians.inTurn(setting.rounds, [status, once])
        return [
          Row(
            "`--once --state` with nothing changed", .time(found[1].time), than: .time(found[0].time),
            of: "`git status`", .atMost(2))
        ]
      },
    ]
  }
}
