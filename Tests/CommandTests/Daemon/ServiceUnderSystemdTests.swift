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
    units=.local/share/systemd/user
    install() {
      mkdir -p $units
      for unit in notes-watch.service notes-watch.socket; do
        sed "s|@program@|${1:-$program}|" "\(UnitTemplates.path)/$unit" > $units/$unit
      done
      systemctl --user daemon-reload
      systemctl --user enable --now notes-watch.socket notes-watch.service 2> enabled
    }
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
      install
      state ActiveState; state ActiveState notes-watch.socket; state UnitFileState
      grep NoNewPrivs: /proc/$(state MainPID)/status
      printf '  - path: ~/more notes\\n' >> .config/notes-watch/config.yaml
      systemctl --user reload notes-watch.service
      await is StatusText '2 folders with 1 item'
      first=$(state MainPID); kill -KILL $first
      await is NRestarts 1; await is ActiveState active; [ $(state MainPID) != $first ] && echo restarted
      systemctl --user stop notes-watch.service 2> /dev/null; state Result; state ActiveState
      systemctl --user disable --now notes-watch.socket notes-watch.service 2> disabled
      find .config/systemd -not -type d; echo end
      """)
    #expect(
      output.split(separator: "\n") == [
        "active", "active", "enabled", "NoNewPrivs:\t0", "restarted", "success", "inactive", "end",
      ])
  }

  @Test func `the first client starts the daemon`() throws {
    let output = try UserManagerSession.run(
      """
      \(Self.start)
      install
      systemctl --user stop notes-watch.service 2> /dev/null
      "$program" list ~/notes --connect -o id
      state ActiveState
      """)
    #expect(output.split(separator: "\n") == ["a", "active"])
  }

  /// The drop-in of docs/install.md.
  @Test func `a drop-in names another configuration`() throws {
    let output = try UserManagerSession.run(
      #"""
      \#(Self.start)
      mkdir other .config/systemd/user/notes-watch.service.d -p
      mv .config/notes-watch/config.yaml other/daemon.yaml
      cat > .config/systemd/user/notes-watch.service.d/override.conf <<END
      [Service]
      ExecStart=
      ExecStart=$program daemon --config %h/other/daemon.yaml
      END
      install
      state ActiveState; "$program" list ~/notes --connect -o id
      """#)
    #expect(output.split(separator: "\n") == ["active", "a"])
  }

  /// A unit as an earlier version wrote it to the folder that goes first.
  @Test func `a unit of an earlier version keeps working`() throws {
    let output = try UserManagerSession.run(
      #"""
      \#(Self.start)
      mkdir -p .config/systemd/user
      cat > .config/systemd/user/notes-watch.service <<END
      # Written by \`notes-watch service install\`, which replaces this file unless it was edited.
      # To change the unit, run \`systemctl --user edit\`: it makes a file of its own.
      # digest: 0123456789abcdef
      [Service]
      Type=notify
      ExecStart=$program daemon --config $HOME/.config/notes-watch/config.yaml
      WatchdogSec=5min
      [Install]
      WantedBy=default.target
      END
      install
      state ActiveState; state FragmentPath | sed "s#$HOME/##"
      """#)
    #expect(output.split(separator: "\n") == ["active", ".config/systemd/user/notes-watch.service"])
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
      install
      grep -E 'NoNewPrivs:|Seccomp:' /proc/$(state MainPID)/status
      """)
    #expect(output.split(separator: "\n") == ["NoNewPrivs:\t1", "Seccomp:\t2"])
  }
}
