import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Sinks

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
        areIn: { group in self.state.withLock { $0.processes.values.contains { $0.isOurs && $0.group == group } } },
        nextEnded: { self.state.withLock { $0.processes.filter { $0.value.isOurs && $0.value.hasEnded }.keys.min() } },
        reap: { process in self.state.withLock { $0.processes[process] = nil } },
        signal: { group, signal in self.state.withLock { $0.signalled.append((group, signal)) } })
    }

    func start(_ process: pid_t, in group: pid_t, isOurs: Bool = true) {
      state.withLock { $0.processes[process] = Process(group: group, isOurs: isOurs) }
    }

    func end(_ process: pid_t) { state.withLock { $0.processes[process]?.hasEnded = true } }

    /// Reaps a command, as its own run does.
    func reap(_ process: pid_t) { state.withLock { $0.processes[process] = nil } }

    /// Returns true if the group contains a process that is not ours.
    func isForeign(_ group: pid_t) -> Bool { state.withLock { $0.processes.values.contains { !$0.isOurs && $0.group == group } } }

    var groupsWithUs: Set<pid_t> { state.withLock { Set($0.processes.values.filter(\.isOurs).map(\.group)) } }

    var signalled: Set<pid_t> { state.withLock { Set($0.signalled.map(\.group)) } }
  }

  @Test func `a group is removed when its command leaves no process running`() async {
    let kernel = FakeKernel(), groups = ProcessGroups(kernel.calls)
    groups.willStart()
    kernel.start(7, in: 7)
    groups.started(7)
    kernel.end(7)
    kernel.reap(7)
    // Another process gets the number before the check.
    kernel.start(7, in: 7, isOurs: false)
    groups.ended()
    #expect(groups.left.isEmpty)
    await groups.end()
    #expect(kernel.signalled.isEmpty)
  }

  @Test func `an orphan of a command keeps its group until it has ended`() async {
    let kernel = FakeKernel(), groups = ProcessGroups(kernel.calls)
    groups.willStart()
    kernel.start(7, in: 7)
    groups.started(7)
    kernel.start(8, in: 7)
    kernel.end(7)
    groups.reap()
    #expect(kernel.groupsWithUs == [7], "only the command's own run reaps it")
    kernel.reap(7)
    groups.ended()
    #expect(groups.left == [7])
    kernel.end(8)
    groups.reap()
    #expect(groups.left.isEmpty)
    kernel.start(7, in: 7, isOurs: false)
    await groups.end()
    #expect(kernel.signalled.isEmpty)
  }

  @Test func `an orphan that does not end is killed`() async {
    let kernel = FakeKernel(), groups = ProcessGroups(kernel.calls)
    groups.willStart()
    kernel.start(7, in: 7)
    groups.started(7)
    kernel.start(8, in: 7)
    kernel.reap(7)
    groups.ended()
    await groups.end()
    #expect(kernel.state.withLock { $0.signalled.map(\.signal) } == [SIGTERM, SIGKILL])
  }

  @Test func `one group can be ended without the others`() async {
    let kernel = FakeKernel(), groups = ProcessGroups(kernel.calls)
    for command in [7, 9] as [pid_t] {
      groups.willStart()
      kernel.start(command, in: command)
      groups.started(command)
      kernel.start(command + 1, in: command)
      kernel.reap(command)
      groups.ended()
    }
    await groups.end(9, grace: .milliseconds(60))
    #expect(kernel.signalled == [9])
    #expect(kernel.state.withLock { $0.signalled.map(\.signal) } == [SIGTERM, SIGKILL])
    await groups.end(11, grace: .seconds(1))
    #expect(kernel.signalled == [9])
  }

  /// Commands, their orphans, and other processes that get free numbers, in any order.
  @Test(.timeLimit(.minutes(1))) func `no group of other processes is kept`() {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let kernel = FakeKernel(), groups = ProcessGroups(kernel.calls)
      var command: pid_t?
      for _ in 0..<60 {
        let number = pid_t(2 + random.below(6))
        let isFree = kernel.state.withLock { state in
          state.processes[number] == nil && !state.processes.values.contains { $0.group == number }
        }
        switch random.below(6) {
        case 0 where command == nil && isFree:
          groups.willStart()
          kernel.start(number, in: number)
          groups.started(number)
          command = number
        case 1:
          if let command, kernel.state.withLock({ $0.processes[number] == nil }) { kernel.start(number, in: command) }
        case 2:
          // The command's own run reaps it some time before it reports the end.
          if let running = command {
            kernel.end(running)
            groups.reap()
            kernel.reap(running)
            if random.oneIn(2), !kernel.groupsWithUs.contains(running) { kernel.start(running, in: running, isOurs: false) }
            groups.ended()
            command = nil
          }
        case 3: if number != command { kernel.end(number) }
        case 4: if isFree { kernel.start(number, in: number, isOurs: false) }
        default: groups.reap()
        }
        let left = groups.left
        #expect(left.isSubset(of: kernel.groupsWithUs), "\(seedNote(seed))")
        #expect(!left.contains { kernel.isForeign($0) }, "\(seedNote(seed))")
      }
    }
  }
}
