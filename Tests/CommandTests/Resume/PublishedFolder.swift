import Foundation
import Glibc
import TestSupport

/// A folder that commands make of the changes of another one: one file for each item, with its
/// value. A command fails at random, in the middle of its work, until `good` exists.
struct PublishedFolder: Sendable {
  let home: TemporaryFolder

  /// The ways in which a command gets its changes, with the options of the watch.
  static let ways: [(name: String, options: [String])] = [
    ("update", []), ("changes", ["--stdin", "changes"]), ("ids", ["--stdin", "ids"]),
    ("each", ["--each", "--stdin", "changes"]),
    ("split", ["--split-on-error", "--stdin", "changes"]), ("persistent", ["--persistent"]),
  ]

  init() throws {
    home = try TemporaryFolder()
    for way in Self.ways { try home.makeFolder("made-\(way.name)") }
    try home.write(Self.script, to: "publish.py")
  }

  /// The command of a way.
  func command(_ way: String, _ root: String) -> [String] {
    ["python3", "\(home.path)/publish.py", way, home.path, root]
  }

  /// The values that a command has made, by ids.
  func values(_ way: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/made-\(way)")
    return try Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasPrefix(".") }.map { name in
        (name, String(decoding: try home.bytes(of: "made-\(way)/\(name)"), as: UTF8.self))
      })
  }

  /// Waits until no command of a killed watch runs any more.
  func waitForOrphans() async throws {
    while try hasCommands() { try await Task.sleep(for: .milliseconds(20)) }
  }

  private func hasCommands() throws -> Bool {
    let mark = Data("\(home.path)/publish.py\0".utf8)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.contains {
      process in
      (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline")))?.range(of: mark) != nil
    }
  }

  private static let script = """
    import json, os, random, sys

    way, home, root = sys.argv[1:4]
    made = f"{home}/made-{way}"

    def fail():
        if random.random() < 0.25 and not os.path.exists(f"{home}/good"):
            sys.exit(3)

    def put(id, value):
        fail()
        if value is None:
            if os.path.exists(f"{made}/{id}"):
                os.unlink(f"{made}/{id}")
            return
        with open(f"{made}/.{id}", "w") as file:
            file.write(str(value["n"]))
        os.replace(f"{made}/.{id}", f"{made}/{id}")

    def apply(change):
        if change["op"] == "delete":
            put(change["id"], None)
        elif "value" in change:
            put(change["id"], change["value"])

    def update(line):
        update = json.loads(line)
        for change in update["changes"] + update.get("takenBack", []):
            apply(change)
        fail()
        return update["seq"]

    if way == "persistent":
        for line in sys.stdin:
            print(update(line), flush=True)
    elif way == "update":
        update(sys.stdin.read())
    elif way == "ids":
        for id in sys.stdin.read().split():
            try:
                with open(f"{root}/{id}.yaml") as file:
                    put(id, {"n": int(file.read().split()[1])})
            except FileNotFoundError:
                put(id, None)
        fail()
    else:
        for line in sys.stdin:
            apply(json.loads(line))
        fail()

    """
}
