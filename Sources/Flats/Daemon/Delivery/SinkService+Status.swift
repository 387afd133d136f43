import Scripts
import Store
import Streams

extension SinkService {
  var status: Fields {
    let (progress, newest) = current
    let lag = SinkService.lag(from: progress.list, to: newest)
    var fields: Fields = ["name": .string(configuration.name)]
    switch configuration.kind {
    case .run: fields["kind"] = "run"
    case .file: fields["kind"] = "file"
    }
    fields["state"] = .string(progress.state.rawValue)
    switch configuration.view {
    case .all: fields["view"] = .map([:])
    case .named(let name): fields["view"] = .string(name)
    case .defined(let view): fields["view"] = .map(view.written)
    }
    fields["seq"] = .integer(progress.position?.seq ?? 0)
    fields["token"] = (progress.position?.token).map(Value.string) ?? .null
    fields["lag"] = .integer(lag)
    if lag > 0 { fields["since"] = (progress.since?.text).map(Value.string) }
    fields["lastRun"] = (progress.lastRun?.text).map(Value.string)
    fields["lastExit"] = progress.lastEnd.flatMap(SinkService.exit)
    fields["failures"] = .integer(progress.failures)
    fields["message"] = progress.message.map(Value.string)
    fields["output"] = .list(progress.lines.map(Value.string))
    return fields
  }

  private static func lag(from list: ListSnapshot<Item>?, to newest: ListSnapshot<Item>?) -> Int {
    guard let list, let newest else { return 0 }
    return ListUpdate<Item>(from: list, to: newest, touched: nil, origin: .files).diff.changes.count
  }

  private static let signalNames: [Int32: String] = [
    1: "HUP", 2: "INT", 3: "QUIT", 4: "ILL", 6: "ABRT", 7: "BUS", 8: "FPE", 9: "KILL", 11: "SEGV", 13: "PIPE",
    14: "ALRM", 15: "TERM",
  ]

  private static func exit(_ end: RunEnd) -> Value? {
    switch end {
    case .exited(let code): .number(.integer(Int(code)))
    case .signaled(let signal): .string("signal \(signalNames[signal] ?? "\(signal)")")
    case .timedOut: .string("timeout")
    case .stopped: .string("stopped")
    case .notStarted: .number(.integer(126))
    }
  }
}
