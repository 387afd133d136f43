import Glibc
import Terminal

/// A program for the tests of the terminal: it shows what it receives, and ends in each of the ways
/// in which a program can end. It is not installed.
///
/// `DeviceProbe LOG [rows]`: writes one line per event to LOG; with `rows`, it uses that many rows
/// below the prompt. Ctrl-C interrupts it.
@main
struct DeviceProbe {
  private static let interrupt = Key(.character("c"), .control)

  private let device: TerminalDevice
  private let log: CInt
  private var lines = ["ready"]
  private var mustDraw = true

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else { exit(64) }
    blockStops()
    var options = TerminalOptions()
    options.interruptKeys = [DeviceProbe.interrupt]
    if arguments.count > 2 { options.height = TerminalHeight(parsing: arguments[2]) }
    do {
      let device = try TerminalDevice(options)
      var probe = DeviceProbe(
        device: device, log: open(arguments[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
      probe.note("process \(getpid())")
      try device.enter()
      exit(probe.run())
    } catch {
      complain("\(TerminalDevice.advice(opening: error))\n")
      exit(69)
    }
  }

  /// Blocks the signals that stop a program of the background, as on the threads of a dispatch
  /// queue.
  private static func blockStops() {
    var stops = sigset_t()
    sigemptyset(&stops)
    for number in [SIGTTIN, SIGTTOU] { sigaddset(&stops, number) }
    pthread_sigmask(SIG_BLOCK, &stops, nil)
  }

  private init(device: TerminalDevice, log: CInt) {
    (self.device, self.log) = (device, log)
  }

  private mutating func run() -> CInt {
    while true {
      for event in device.wait(until: nil, hasFrame: mustDraw) {
        record(event)
        switch event {
        case .closed:
          device.close()
          return 7
        case .input(.key(let key), _):
          if let code = perform(key) { return code }
        default: break
        }
      }
      if mustDraw, device.canShow { draw() }
    }
  }

  private mutating func record(_ event: TerminalEvent) {
    let text: String
    switch event {
    case .input(let input, let frame): text = "frame \(frame): \(DeviceProbe.name(input))"
    case .painted(let frame): text = "painted \(frame)"
    case .resize(let size): text = "size \(size.columns)x\(size.rows)"
    case .capabilities(let found):
      text =
        "answers \(found.answers) synchronizes \(found.synchronizesFrames) light \(String(describing: found.isLight))"
    case .resumed: text = "resumed"
    case .wakeup: text = "wakeup"
    case .closed: text = "closed"
    }
    note(text)
    if case .painted = event { return }
    lines.append(text)
    mustDraw = true
  }

  private func note(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = line.withUnsafeBytes { write(log, $0.baseAddress, $0.count) }
  }

  private static func complain(_ message: String) {
    let bytes = Array(message.utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func name(_ input: TerminalInput) -> String {
    switch input {
    case .key(let key): "key \(key)"
    case .mouse(let action, let position, let modifiers):
      "\(action) \(position.row),\(position.column) \(modifiers.rawValue)"
    case .paste(let text): "paste \(text.utf8.count) \(text.prefix(40).debugDescription)"
    case .focus(let isIn): "focus \(isIn)"
    case .reply: "reply"
    }
  }

  /// Does what a key asks for; returns the exit code of one that ends the program.
  private mutating func perform(_ key: Key) -> CInt? {
    if key == DeviceProbe.interrupt { return 130 }
    guard case .character(let character) = key.code, key.modifiers.isEmpty else { return nil }
    switch character {
    case "q":
      device.close()
      return 0
    case "n": return 3
    case "t": trap(by: lines.count)
    case "s": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "a": abort()
    case "o": note("\(overflow(lines.count))")
    case "e": DeviceProbe.complain("a message \u{1B}[31m\u{9B}2J of the program\n")
    case "z":
      note(device.suspend() ? "suspended" : "refused")
      mustDraw = true
    case "v":
      device.leave()
      note("left")
      system("stty raw -echo </dev/tty; printf editor >/dev/tty")
      try? device.enter()
      note("entered")
      mustDraw = true
    case "l":
      device.leave()
      for number in [SIGINT, SIGQUIT] { raise(number) }
      try? device.enter()
      note("entered")
      mustDraw = true
    case "h": hold()
    case "w": writeUntilAnotherThreadFails()
    case "c": note("copied \(device.copy("a text"))")
    case "T": device.setTitle("a title\u{1B}]2;evil\u{7}")
    default: break
    }
    return nil
  }

  /// Reads nothing from the terminal until another program writes a byte to the FIFO `LOG.go`.
  private func hold() {
    let path = CommandLine.arguments[1] + ".go"
    mkfifo(path, 0o600)
    let gate = open(path, O_RDWR | O_CLOEXEC)
    note("held")
    var byte: UInt8 = 0
    _ = read(gate, &byte, 1)
    close(gate)
  }

  /// Writes without end, until another thread fails in the middle of the writes.
  private func writeUntilAnotherThreadFails() {
    var thread = pthread_t()
    device.setTitle("a frame")
    pthread_create(
      &thread, nil,
      { _ in
        raise(SIGSEGV)
        return nil
      }, nil)
    while true { device.setTitle("a frame") }
  }

  /// Ends by a trap of Swift.
  private func trap(by number: Int) { note("\(UInt8(number + 1_000))") }

  /// Uses all of the stack.
  private func overflow(_ depth: Int) -> Int {
    var page = (depth, depth, depth, depth, depth, depth, depth, depth)
    return withUnsafeMutablePointer(to: &page) { overflow(depth + 1) + $0.pointee.0 }
  }

  private mutating func draw() {
    mustDraw = false
    var canvas = Canvas(device.size)
    for (row, text) in lines.suffix(max(device.size.rows, 1)).enumerated() {
      // The answers are drawn in a colour that depends on them.
      let style = Style(text.hasPrefix("answers") ? .problem : .plain)
      canvas.write(StyledLine(text, style), row: row, columns: 0..<device.size.columns)
    }
    note("shown \(device.show(canvas, movesItems: true))")
  }
}
