import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite struct ServiceNotifierTests {
  @Test func `each state is one message in the form of sd_notify`() throws {
    let manager = try Manager()
    let notifier = ServiceNotifier(["NOTIFY_SOCKET": manager.name], process: 42)
    notifier.send(.ready)
    notifier.send(.status("2 folders"))
    notifier.send(.watchdog)
    notifier.send(.stopping)
    #expect(manager.messages() == ["READY=1\nMAINPID=42", "STATUS=2 folders", "WATCHDOG=1", "STOPPING=1"])
  }

  @Test func `a reload begins with the time of the monotonic clock`() throws {
    let manager = try Manager()
    ServiceNotifier(["NOTIFY_SOCKET": manager.name]).send(.reloading)
    let message = try #require(manager.messages().first)
    #expect(message.contains(/^RELOADING=1\nMONOTONIC_USEC=[1-9]\d*$/))
  }

  @Test func `a socket in the abstract namespace is reached`() throws {
    let manager = try Manager(isAbstract: true)
    ServiceNotifier(["NOTIFY_SOCKET": manager.name]).send(.stopping)
    #expect(manager.messages() == ["STOPPING=1"])
  }

  @Test func `a sentence cannot add a field`() throws {
    let manager = try Manager()
    ServiceNotifier(["NOTIFY_SOCKET": manager.name]).send(.status("a\nREADY=1\u{1B}[2J"))
    #expect(manager.messages() == ["STATUS=a\\nREADY=1\\x1b[2J"])
  }

  @Test func `a program without a manager sends nothing`() {
    let notifier = ServiceNotifier([:]) { Issue.record("\($0)") }
    notifier.send(.ready)
    #expect(notifier.watchdogInterval == nil)
  }

  @Test(arguments: ["", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200), "/a\0b"])
  func `an address that is no socket of this machine is ignored`(name: String) {
    #expect(ServiceNotifier.Address(name) == nil)
  }

  @Test func `a manager that is gone is reported once per failure in a row`() throws {
    let folder = try TemporaryFolder()
    let name = "\(folder.path)/notify"
    let reports = Mutex(0)
    let notifier = ServiceNotifier(["NOTIFY_SOCKET": name]) { _ in reports.withLock { $0 += 1 } }
    for _ in 0..<3 { notifier.send(.ready) }
    #expect(reports.withLock(\.self) == 1)
    let manager = try Manager(path: name)
    notifier.send(.watchdog)
    #expect(manager.messages() == ["WATCHDOG=1"])
    unlink(name)
    notifier.send(.watchdog)
    #expect(reports.withLock(\.self) == 2)
  }

  @Test func `a manager that does not read gets the newest state and sentence later`() async throws {
    let manager = try Manager()
    let notifier = ServiceNotifier(["NOTIFY_SOCKET": manager.name])
    let count = manager.fill()
    notifier.send(.reloading)
    notifier.send(.status("old"))
    notifier.send(.ready)
    notifier.send(.status("new"))
    notifier.send(.watchdog)
    #expect(manager.messages().count == count)
    #expect(manager.nextMessage(within: 20) == "READY=1\nMAINPID=\(getpid())\nSTATUS=new")
    #expect(manager.messages().isEmpty)
  }

  @Test func `the watchdog ticks at half of its limit`() {
    func interval(_ limit: String, _ process: String?) -> Duration? {
      var environment = ["NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": limit]
      environment["WATCHDOG_PID"] = process
      return ServiceNotifier(environment, process: 42).watchdogInterval
    }
    #expect(interval("3000000", "42") == .milliseconds(1500))
    #expect(interval("3000000", nil) == .milliseconds(1500))
    #expect(interval("3000000", "43") == nil)
    for limit in ["0", "1", "-5", "many", "", "99999999999999999999"] {
      #expect(interval(limit, nil) == nil, "\(limit)")
    }
    #expect(interval("9223372036854775807", nil) != nil)
  }
}

/// A service manager of the test's own.
private final class Manager {
  let name: String
  private let socket: Descriptor
  private let folder: TemporaryFolder

  init(isAbstract: Bool = false, path: String? = nil) throws {
    folder = try TemporaryFolder()
    name = path ?? (isAbstract ? "@\(folder.path)" : "\(folder.path)/notify")
    socket = Descriptor(
      owning: try systemCall {
        Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
      })
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let descriptor = socket.raw
    try systemCall {
      withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      }
    }
  }

  /// Returns the messages that wait.
  func messages() -> [String] {
    var messages: [String] = []
    while let message = message(flags: CInt(MSG_DONTWAIT)) { messages.append(message) }
    return messages
  }

  /// Waits for a message.
  func nextMessage(within seconds: Int) -> String? {
    var request = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
    poll(&request, 1, CInt(seconds * Patience.factor * 1_000))
    return message(flags: CInt(MSG_DONTWAIT))
  }

  /// Sends until the queue is full, and returns the number of messages.
  func fill() -> Int {
    guard let address = ServiceNotifier.Address(name) else { return 0 }
    var count = 0
    while (try? address.send("filler")) != nil { count += 1 }
    return count
  }

  private func message(flags: CInt) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(socket.raw, &buffer, buffer.count, flags)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}
