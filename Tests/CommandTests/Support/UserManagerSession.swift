import TestSupport

/// A systemd user manager of the test's own, for a user without rights, in namespaces of its own.
///
/// It needs no systemd as PID 1: the manager asks only for the folder that says so.
enum UserManagerSession {
  /// True if such a manager runs here.
  static let isPossible: Bool = {
    guard Machine.isRoot, Machine.has("setpriv"), Machine.canRun("test -x /lib/systemd/systemd") else {
      return false
    }
    return (try? run("systemctl --user is-system-running --wait; '\(BuiltProgram.path)' --version")) != nil
  }()

  /// Runs a shell script in a session of the manager: `HOME` is a new folder, and `systemctl --user`
  /// asks the manager.
  ///
  /// - Returns: The output.
  /// - Throws: `Shell.Failure` if a command of the script fails.
  static func run(_ script: String) throws -> String {
    let folder = try TemporaryFolder([
      "outer.sh": outer, "inner.sh": inner, "session.sh": session, "script.sh": "set -e; \(script)\n",
    ])
    return try folder.shell("chmod 755 .; timeout 90 bash outer.sh")
  }

  /// Makes a control group for the manager, and removes it afterwards.
  private static let outer = """
    for parent in /sys/fs/cgroup /sys/fs/cgroup/unified none; do [ "$(stat -f -c %T $parent)" = cgroup2fs ] && break; done
    group=$parent/notes-watch-test-$$
    mkdir -p $group/manager || exit 1
    chown -R 61234:61234 $group
    (echo $BASHPID > $group/manager/cgroup.procs && exec unshare --mount --pid --cgroup --fork --kill-child --mount-proc \\
      bash inner.sh $group/manager)
    result=$?
    for try in 1 2 3 4 5 6 7 8 9; do find $group -depth -type d -exec rmdir {} + 2> /dev/null && break; sleep 0.2; done
    exit $result
    """

  /// Makes the folders that systemd would have made, and becomes the user.
  private static let inner = """
    set -e
    mount -t tmpfs tmpfs /run
    mkdir -p /run/systemd/system /run/user/61234 home
    chown 61234:61234 /run/user/61234 home
    chmod 700 /run/user/61234
    { cat /etc/passwd; echo tester:x:61234:61234::$PWD/home:/bin/sh; } > passwd
    mount --bind passwd /etc/passwd
    mount --bind $1 /sys/fs/cgroup
    export HOME=$PWD/home XDG_RUNTIME_DIR=/run/user/61234
    unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME
    exec setpriv --reuid=61234 --regid=61234 --clear-groups --inh-caps=-all --bounding-set=-all bash $PWD/session.sh $PWD
    """

  private static let session = """
    /lib/systemd/systemd --user --log-target=console 2> $HOME/manager.log &
    for try in $(seq 200); do [ -S $XDG_RUNTIME_DIR/systemd/private ] && break; sleep 0.05; done
    cd $HOME
    sh $1/script.sh
    result=$?
    [ $result = 0 ] || tail -n 30 $HOME/manager.log
    exit $result
    """
}
