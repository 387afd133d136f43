import Files
import Glibc
import Synchronization
import TestSupport
import Testing
import Processes

@testable import Scripts

/// The groups that are signalled, with a kernel that reuses each free number at once.
@Suite struct ProcessGroupsTests {
  /// A machine's processes in memory.
  private final class FakeKernel: Sendable {
    struct Process {
      let group: pid_t
      var isOurs: Bool
      var hasEnded = false
    }

    struct State {
      var processes: [pid_t: Process] = [:]
      var signalled: [(group: pid_t, signal: CInt)] = []
    }

    let state = Mutex(State())

    var calls: ChildProcesses {
      ChildProcesses(
        areIn: { group in
          self.state.withLock { $0.processes.values.contains { $0.isOurs && $0.group == group } }
        },
        nextEnded: { group in
          self.state.withLock { state in
            state.processes.filter {
              $0.value.isOurs && $0.value.hasEnded && (group == nil || $0.value.group == group)
            }.keys.min()
          }
        },
        reap: { process in self.state.withLock { $0.processes[process] = nil } },
        signal: { group, signal in self.state.withLock { $0.signalled.append((group, signal)) } })
    }

    func start(_ process: pid_t, in group: pid_t, isOurs: Bool = true) {
      state.withLock { $0.processes[process] = Process(group: group, isOurs: isOurs) }
    }

    func end(_ process: pid_t) { state.withLock { $0.processes[process]?.hasEnded = true } }

    /// Reaps a command, as its own run does.
    @Sendable func reap(_ process: pid_t) { state.withLock { $0.processes[process] = nil } }

    /// Returns true if the group contains a process that is not ours.
    func isForeign(_ group: pid_t) -> Bool {
      state.withLock { $0.processes.values.contains { !$0.isOurs && $0.group == group } }
    }

    var groupsWithUs: Set<pid_t> { state.withLock { Set($0.processes.values.filter(\.isOurs).map(\.group)) } }

    var signalled: Set<pid_t> { state.withLock { Set($0.signalled.map(\.group)) } }
  }

  /// The groups of one program, on a machine of its own.
  private struct Program {
    let kernel = FakeKernel()
    let own = OwnChildren()
    let owner = ProcessGroups.Owner()
    let groups: ProcessGroups

    init() { groups = ProcessGroups(kernel.calls, own: own) }

    func start(_ command: pid_t, for owner: ProcessGroups.Owner? = nil) {
      _ = groups.start(for: owner ?? self.owner) { () -> pid_t in
        kernel.start(command, in: command)
        // A child that ends now must not be reaped, although it has no number here yet.
        groups.reap()
        return command
      }
    }

    func end(_ command: pid_t) {
      kernel.end(command)
      groups.end(of: command) { kernel.reap(command) }
    }
  }

  @Test func `a group is removed when its command leaves no process running`() async {
    let program = Program()
    program.start(7)
    program.end(7)
    // Another process gets the number.
    program.kernel.start(7, in: 7, isOurs: false)
    #expect(program.groups.left.isEmpty)
    await program.groups.end(allOf: program.owner)
    #expect(program.kernel.signalled.isEmpty)
  }

  @Test func `an orphan of a command keeps its group until it has ended`() async {
    let program = Program()
    let (kernel, groups) = (program.kernel, program.groups)
    program.start(7)
    kernel.start(8, in: 7)
    kernel.end(7)
    groups.reap()
    #expect(kernel.groupsWithUs == [7], "only the command's own run reaps it")
    program.end(7)
    #expect(groups.left == [7])
    kernel.end(8)
    groups.reap()
    #expect(groups.left.isEmpty)
    kernel.start(7, in: 7, isOurs: false)
    await groups.end(allOf: program.owner)
    #expect(kernel.signalled.isEmpty)
  }

  @Test func `an orphan that does not end is killed`() async {
    let program = Program()
    program.start(7)
    program.kernel.start(8, in: 7)
    program.end(7)
    await program.groups.end(allOf: program.owner)
    #expect(program.kernel.state.withLock { $0.signalled.map(\.signal) } == [SIGTERM, SIGKILL])
  }

  @Test func `one group can be ended without the others`() async {
    let program = Program()
    for command in [7, 9] as [pid_t] {
      program.start(command)
      program.kernel.start(command + 1, in: command)
      program.end(command)
    }
    await program.groups.end(9, grace: .milliseconds(60))
    #expect(program.kernel.signalled == [9])
    #expect(program.kernel.state.withLock { $0.signalled.map(\.signal) } == [SIGTERM, SIGKILL])
    await program.groups.end(11, grace: .seconds(1))
    #expect(program.kernel.signalled == [9])
  }

  @Test func `the end of one sink leaves the groups of the others`() async {
    let program = Program()
    let other = ProcessGroups.Owner()
    program.start(7)
    program.start(9, for: other)
    for command in [7, 9] as [pid_t] {
      program.kernel.start(command + 1, in: command)
      program.end(command)
    }
    await program.groups.end(allOf: other, grace: .milliseconds(60))
    #expect(program.kernel.signalled == [9])
    #expect(program.groups.left == [7, 9])
  }

  @Test func `the command of one sink is not reaped by the end of another one`() {
    let program = Program()
    program.start(7)
    program.start(9)
    program.kernel.end(7)
    program.end(9)
    #expect(program.kernel.groupsWithUs == [7])
  }

  @Test func `an orphan of an ended command is reaped while another command has ended and is not reaped`() {
    let program = Program()
    program.start(7)
    program.start(9)
    program.kernel.start(10, in: 9)
    program.end(9)
    program.kernel.end(7)
    program.kernel.end(10)
    program.groups.reap()
    #expect(program.groups.left.isEmpty)
    #expect(program.kernel.groupsWithUs == [7])
  }

  @Test func `a child that another part of the program started is not reaped`() {
    let program = Program()
    _ = program.own.start { () -> pid_t in
      program.kernel.start(5, in: 5)
      program.kernel.end(5)
      program.groups.reap()
      return 5
    }
    program.groups.reap()
    #expect(program.kernel.groupsWithUs == [5])
  }

  @Test func `every command and every remaining group is killed at a sudden end`() {
    let program = Program()
    for command in [7, 9] as [pid_t] { program.start(command) }
    program.kernel.start(8, in: 7)
    program.end(7)
    program.groups.killAll()
    #expect(program.kernel.signalled == [7, 9])
  }

  /// Commands of several sinks, their orphans, and other processes that get free numbers, in any
  /// order.
  @Test(.timeLimit(.minutes(1)))
  func `no group of other processes is kept, and each command is reaped by its run`() {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let program = Program()
      let (kernel, groups) = (program.kernel, program.groups)
      var commands: Set<pid_t> = []
      for _ in 0..<80 {
        let number = pid_t(2 + random.below(8))
        let isFree = kernel.state.withLock { state in
          state.processes[number] == nil && !state.processes.values.contains { $0.group == number }
        }
        switch random.below(6) {
        case 0 where commands.count < 3 && isFree:
          program.start(number)
          commands.insert(number)
        case 1:
          if let command = commands.randomElement(using: &random),
            kernel.state.withLock({ $0.processes[number] == nil })
          {
            kernel.start(number, in: command)
          }
        case 2:
          if let running = commands.randomElement(using: &random) {
            kernel.end(running)
            groups.reap()
            #expect(kernel.state.withLock { $0.processes[running] != nil }, "\(seedNote(seed))")
            program.end(running)
            commands.remove(running)
          }
        case 3: kernel.end(number)
        case 4: if isFree { kernel.start(number, in: number, isOurs: false) }
        default: groups.reap()
        }
        #expect(
          kernel.state.withLock { state in commands.allSatisfy { state.processes[$0] != nil } },
          "\(seedNote(seed))")
        let left = groups.left
        #expect(left.isSubset(of: kernel.groupsWithUs), "\(seedNote(seed))")
        #expect(!left.contains { kernel.isForeign($0) }, "\(seedNote(seed))")
      }
    }
  }
}
