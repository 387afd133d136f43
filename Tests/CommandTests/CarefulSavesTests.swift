import Foundation
import Glibc
import TestSupport
import Testing

/// Saves by the built program when the system or other programs interfere.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct CarefulSavesTests {
  private static func traced(_ injection: String, _ arguments: String..., in folder: TemporaryFolder)
    async throws -> Program.State
  {
    try await Program(
      SystemCalls.strace,
      ["-f", "-o", "/dev/null", "-e", "inject=\(injection)", BuiltProgram.path] + arguments,
      folder: folder.path
    ).end()
  }

  @Test(
    .enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"),
    arguments: ["EIO", "EACCES", "EROFS"],
    ["set", "rm"])
  func `a replaced file that cannot be deleted is reported, also by check`(error: String, command: String)
    async throws
  {
    let folder = try TemporaryFolder(["root/d/ada.yaml": "k: 1\n"])
    let arguments = command == "set" ? ["set", "root", "d/ada", "k=2"] : ["rm", "root", "d/ada"]
    let end = try await Program(
      SystemCalls.strace,
      ["-f", "-o", "/dev/null", "-e", "inject=unlinkat:error=\(error)", BuiltProgram.path] + arguments,
      folder: folder.path
    ).end()
    #expect(end.status == .exited(0), "\(end.errorText)")
    let name = try await folder.shell("cd root/d; ls -A | grep '^\\.'").trimmingCharacters(
      in: .whitespacesAndNewlines)
    #expect(end.errorText.contains("d/\(name) could not be deleted"), "\(end.errorText)")
    let check = try await BuiltProgram.run("check", "root", in: folder.path)
    #expect(check.status == .exited(1))
    let owner = command == "set" ? "d/ada.yaml" : "a file"
    #expect(
      check.outputText.contains("d/\(name):1:1: An interrupted save left the previous text of \(owner)."),
      "\(check.outputText)")
  }

  @Test
  func
    `check reports what an editor saved into a file that an interrupted save left, and no save deletes it`()
    async throws
  {
    let folder = try TemporaryFolder(["root/d/ada.yaml": "k: 1\n", "root/d/.notes-watch.new.ab": "k: half"])
    let name = ".notes-watch.old.1.2.3.4.5.6.7.8.x9.ab"
    try folder.write("k: typed\n", to: "root/d/\(name)")
    let check = try await BuiltProgram.run("check", "root", in: folder.path)
    #expect(check.outputText.contains("d/.notes-watch.new.ab:1:1: "), "\(check.outputText)")
    #expect(
      check.outputText.contains("d/\(name):1:1: Another program may have saved this version of"),
      "\(check.outputText)")
    let set = try await BuiltProgram.run("set", "root", "d/ada", "k=2", in: folder.path)
    #expect(set.errorText.contains("d/\(name)"), "\(set.errorText)")
    #expect(try await folder.shell("cd root/d; ls -A") == "\(name)\nada.yaml\n")
  }

  @Test(.enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"))
  func `an access list that cannot be kept leaves the file unchanged`() async throws {
    let folder = try TemporaryFolder(["root/ada.yaml": "k: 1\n"])
    let path = "\(folder.path)/root/ada.yaml"
    // Entries for the owner, user 4321, the group, the mask and others (`linux/posix_acl_xattr.h`).
    let list: [UInt8] =
      [2, 0, 0, 0] + [1, 0, 6, 0, 255, 255, 255, 255] + [2, 0, 6, 0, 0xE1, 0x10, 0, 0] + [
        4, 0, 0, 0, 255, 255, 255, 255,
      ]
      + [16, 0, 6, 0, 255, 255, 255, 255] + [32, 0, 0, 0, 255, 255, 255, 255]
    let set = try Self.setAttribute("system.posix_acl_access", list, of: path)
    try #require(set, "this file system has no access lists")
    for injection in ["fsetxattr:error=ENOSPC", "flistxattr:error=EIO", "fgetxattr:error=EIO"] {
      let end = try await Self.traced(injection, "set", "root", "ada", "k=2", in: folder)
      #expect(end.status != .exited(0), "\(injection)")
      #expect(end.errorText.contains("Nothing was changed."), "\(injection) \(end.errorText)")
      #expect(
        try await folder.shell("cat root/*; ls -A root; stat -c %a root/ada.yaml") == "k: 1\nada.yaml\n660\n",
        "\(injection)")
    }
    #expect(try await BuiltProgram.run("set", "root", "ada", "k=2", in: folder.path).status == .exited(0))
    #expect(try await folder.shell("cat root/*; stat -c %a root/ada.yaml") == "k: 2\n660\n")
  }

  /// `setxattr`, which Swift's Glibc lacks.
  private static func setAttribute(_ name: String, _ value: [UInt8], of path: String) throws -> Bool {
    typealias LinkFunction =
      @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, CInt) -> CInt
    let symbol = try #require(dlsym(nil, "setxattr"))
    return value.withUnsafeBytes {
      unsafeBitCast(symbol, to: LinkFunction.self)(path, name, $0.baseAddress, $0.count, 0)
    } == 0
  }

  @Test(.enabled(if: Machine.has("cc"), "needs a C compiler"))
  func `set and rm work without leases, as on NFS`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n", "root/b.yaml": "k: 1\n"])
    try folder.write(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <fcntl.h>
      #include <stdarg.h>
      static int call(const char *name, int file, int command, void *argument) {
        if (command == F_SETLEASE) { errno = EAGAIN; return -1; }
        return ((int (*)(int, int, void *))dlsym(RTLD_NEXT, name))(file, command, argument);
      }
      int fcntl(int file, int command, ...) {
        va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list);
        return call("fcntl", file, command, argument);
      }
      int fcntl64(int file, int command, ...) {
        va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list);
        return call("fcntl64", file, command, argument);
      }

      """, to: "shim.c")
    try await folder.shell("cc -shared -fPIC -o shim.so shim.c -ldl")
    let environment = ["LD_PRELOAD": "\(folder.path)/shim.so"]
    let set = try await BuiltProgram.run("set", "root", "a", "k=2", environment: environment, in: folder.path)
    #expect(set.status == .exited(0), "\(set.errorText)")
    let removed = try await BuiltProgram.run("rm", "root", "b", environment: environment, in: folder.path)
    #expect(removed.status == .exited(0), "\(removed.errorText)")
    #expect(try await folder.shell("cat root/*; ls -A root") == "k: 2\na.yaml\n")
  }

  @Test func `one of several parallel adds of one id succeeds`() async throws {
    let folder = try TemporaryFolder([
      "root/.notes-watch.yaml": "id-field: uuid\n", "root/x/a.yaml": "uuid: 1\n",
      "root/y/b.yaml": "uuid: 2\n",
    ])
    for round in 0..<4 * Randomness.factor {
      try await folder.shell(
        """
        for d in x y z x y z; do ('\(BuiltProgram.path)' add root $d/n\(round) uuid=u\(round) > /dev/null 2>&1 && echo 0 >> codes || echo $? >> codes) & done; wait
        """)
      #expect(
        try await folder.shell("sort -n codes | tr '\\n' ' '; rm codes") == "0 73 73 73 73 73 ",
        "round \(round)")
      // One of two parallel saves that give two items the same id succeeds.
      try await folder.shell(
        """
        '\(BuiltProgram.path)' add root x/p\(round) uuid=p\(round); '\(BuiltProgram.path)' add root y/q\(round) uuid=q\(round)
        for i in p q; do ('\(BuiltProgram.path)' set root ${i}\(round) uuid=same\(round) > /dev/null 2>&1 && echo 0 >> codes || echo $? >> codes) & done; wait
        """)
      #expect(try await folder.shell("sort -n codes | tr '\\n' ' '; rm codes") == "0 73 ", "round \(round)")
    }
    #expect(try await BuiltProgram.run("check", "root", in: folder.path).outputText == "")
  }

  @Test func `set finds an item that an editor removes and writes again`() async throws {
    let folder = try TemporaryFolder([
      "root/a.yaml": "x: 1\nt: [1]\n", "ids/.notes-watch.yaml": "id-field: id\n",
      "ids/f.yaml": "id: a\nx: 1\nt: [1]\n",
    ])
    for (root, name, text) in [("root", "a", "x: 1\\nt: [1]\\n"), ("ids", "f", "id: a\\nx: 1\\nt: [1]\\n")] {
      let codes = try await folder.shell(
        """
        (while [ ! -e stop ]; do start=$(date +%s%N); mv \(root)/\(name).yaml \(root)/\(name).yaml~ 2> /dev/null; sleep 0.004
          printf '\(text)' > .new; cat .new > \(root)/\(name).yaml; [ $(($(date +%s%N) - start)) -lt 150000000 ] || touch slow
          rm \(root)/\(name).yaml~; sleep 0.03; done) &
        for i in $(seq \(6 * Randomness.factor)); do
          '\(BuiltProgram.path)' set \(root) a z=$i > /dev/null 2>> errors && echo 0 || echo $?
          '\(BuiltProgram.path)' set \(root) a t+=$i > /dev/null 2>> errors && echo 0 || echo $?
        done | sort | uniq -c
        touch stop; wait; rm stop; cat errors; [ ! -e slow ] || { echo slow; rm slow; }
        """)
      // On a busy machine the file may be missing for longer than the program waits.
      if !codes.contains("slow") { #expect(!codes.contains(" 66"), "\(codes)") }
      #expect(codes.contains(" 0"), "\(codes)")
    }
    let end = try await BuiltProgram.run("set", "root", "nobody", "someone", "k=1", in: folder.path)
    #expect(end.status == .exited(66))
  }
}
