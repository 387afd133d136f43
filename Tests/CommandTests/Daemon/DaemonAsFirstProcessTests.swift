import Foundation
import TestSupport
import Testing

/// The daemon as PID 1 of a container.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: Machine.canRun("unshare --pid --fork true"), "needs a root that may make PID namespaces"))
struct DaemonAsFirstProcessTests {
  /// Runs a script while the daemon is the first process of a namespace. `$first` is its number
  /// outside, and `await` waits for a command to succeed.
  private func run(_ script: String) async throws -> String {
    let home = try TemporaryFolder([
      "notes/a.yaml": "k: 1\n",
      "config.yaml": """
      folders:
        - path: notes
          sinks:
            - {name: s, run: [sh, -c, 'cat > /dev/null; (sleep 0.1 &); echo run >> ../runs']}
      """,
    ])
    return try await home.shell(
      """
      chmod 600 config.yaml; mkdir -m 700 runtime; set +e
      export XDG_RUNTIME_DIR=$PWD/runtime XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache
      await() { for try in $(seq 400); do "$@" > /dev/null 2>&1 && return; sleep 0.05; done; echo "never: $*"; return 1; }
      # A shell starts background jobs with interrupts ignored.
      env --default-signal=INT,QUIT unshare --pid --fork --kill-child --mount-proc \
        '\(BuiltProgram.path)' daemon --config config.yaml 2> log &
      outer=$!
      await test -S runtime/notes-watch/daemon.sock
      first=$(pgrep -P $outer)
      \(script)
      wait $outer; echo $?
      """)
  }

  @Test(arguments: [("TERM", "143\n"), ("INT", "130\n")])
  func `a signal ends the daemon with 128 and its number`(signal: String, status: String) async throws {
    #expect(
      try await run("'\(BuiltProgram.path)' list notes --connect -o id; kill -\(signal) $first")
        == "a\n\(status)")
  }

  @Test func `orphans are reaped, and the commands of sinks run beside them`() async throws {
    let output = try await run(
      """
      '\(BuiltProgram.path)' list notes --connect -o id
      for i in 2 3 4; do
        nsenter -t $first -p -m sh -c '(sh -c "sleep 0.1; exit 3" &)'
        echo "k: $i" > notes/.a.tmp; mv notes/.a.tmp notes/a.yaml
        await sh -c "[ \\$(wc -l < runs) -ge $((i - 1)) ]"
      done
      await sh -c "! ps -o stat= --ppid $first | grep -q ."
      ps -o pid=,stat=,comm= --ppid $first; grep -E 'failed|warning|error' log; kill -TERM $first
      """)
    #expect(output == "a\n143\n")
  }
}
