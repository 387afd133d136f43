import TestSupport
import Testing

/// The service runs under a real systemd.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled(if: UserManagerSession.isPossible, "needs root, systemd and control groups of version 2"))
struct ServiceUnderSystemdTests {
  /// The beginning of each script: a daemon with one folder, and one more for later.
  private static let start = """
    program='\(BuiltProgram.path)'
    state() { systemctl --user show --value --property=$1 ${2:-notes-watch.service}; }
    await() { for try in $(seq 300); do "$@" && return; sleep 0.05; done; echo "never: $*"; return 1; }
    is() { [ "$(state $1)" = "$2" ]; }
    mkdir -p .config/notes-watch notes 'more notes'
    echo 'k: 1' > notes/a.yaml
    cat > .config/notes-watch/config.yaml <<END
    folders:
      - path: ~/notes
    END
    chmod 600 .config/notes-watch/config.yaml
    """

  @Test func `systemd starts, reloads, restarts and stops the daemon`() throws {
    let output = try UserManagerSession.run(
      """
      \(Self.start)
      "$program" service install > installed
      state ActiveState; state ActiveState notes-watch.socket; state UnitFileState
      "$program" service status > status && echo status 0
      grep NoNewPrivs: /proc/$(state MainPID)/status
      printf '  - path: ~/more notes\\n' >> .config/notes-watch/config.yaml
      systemctl --user reload notes-watch.service
      await is StatusText '2 folders with 1 item'
      first=$(state MainPID); kill -KILL $first
      await is NRestarts 1; await is ActiveState active; [ $(state MainPID) != $first ] && echo restarted
      systemctl --user stop notes-watch.service 2> /dev/null; state Result; state ActiveState
      "$program" service status > status || echo status $?
      grep -c '! The daemon does not run' status
      "$program" service uninstall > removed
      systemctl --user list-unit-files --no-legend 'notes-watch*' || true; find .config/systemd -not -type d; echo end
      """)
    #expect(
      output.split(separator: "\n") == [
        "active", "active", "enabled", "status 0", "NoNewPrivs:\t0", "restarted", "success", "inactive", "status 1", "1", "end",
      ])
  }

  @Test func `the first client starts the daemon`() throws {
    let output = try UserManagerSession.run(
      """
      \(Self.start)
      "$program" service install > installed
      systemctl --user stop notes-watch.service 2> /dev/null
      "$program" list ~/notes --connect -o id
      state ActiveState
      """)
    #expect(output.split(separator: "\n") == ["a", "active"])
  }

  /// The paths are those that need quotes in a unit.
  @Test func `systemd passes odd paths on as they are`() throws {
    let output = try UserManagerSession.run(
      #"""
      \#(Self.start)
      folder='a b %h $HOME ;'; other='"q"'"'"' \x41 %h $HOME'; mkdir "$folder" "$other"
      cp .config/notes-watch/config.yaml "$other/c.yaml"; chmod 600 "$other/c.yaml"
      printf '#!/bin/sh\nprintf "%%s\\n" "$@" > ~/arguments; exec %s "$@"\n' "$program" > "$folder/run"; chmod 755 "$folder/run"
      "$program" service install --program "$HOME/$folder/run" --config "$other/c.yaml" > installed
      state ActiveState; tail -n 1 arguments | sed "s#$HOME/##"
      """#)
    #expect(output.split(separator: "\n").map(String.init) == ["active", #""q"' \x41 %h $HOME/c.yaml"#])
  }

  /// The drop-in of docs/daemon.md.
  @Test func `the lines for a stricter service take effect`() throws {
    let output = try UserManagerSession.run(
      """
      \(Self.start)
      mkdir -p .config/systemd/user/notes-watch.service.d
      cat > .config/systemd/user/notes-watch.service.d/strict.conf <<END
      [Service]
      NoNewPrivileges=yes
      LockPersonality=yes
      RestrictNamespaces=yes
      RestrictRealtime=yes
      RestrictSUIDSGID=yes
      SystemCallArchitectures=native
      END
      "$program" service install > installed
      grep -E 'NoNewPrivs:|Seccomp:' /proc/$(state MainPID)/status
      """)
    #expect(output.split(separator: "\n") == ["NoNewPrivs:\t1", "Seccomp:\t2"])
  }
}
