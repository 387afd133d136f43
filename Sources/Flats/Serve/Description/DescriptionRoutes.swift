import CWebPage
import HTTPTypes
import Store

extension Router {
  mutating func addDescriptionRoutes(_ context: WebContext) {
    addHealthRoute()
    on(.get, "/metrics") { request throws(ProblemDocument) in
      try request.target.allowOnly([])
      return ServerResponse(type: "text/plain; version=0.0.4; charset=utf-8", Array(context.metricsText.utf8))
    }
    let description = CWebPageDescription().map(\.pointee.data) ?? []
    on(.get, "/openapi.json") { request throws(ProblemDocument) in
      try request.target.allowOnly([])
      return ServerResponse(type: "application/json", description)
    }
  }

  mutating func addHealthRoute() {
    on(.get, "/health") { request throws(ProblemDocument) in
      try request.target.allowOnly([])
      return ServerResponse(json: ["status": "ok"])
    }
  }
}

extension WebContext {
  /// The numbers of the server and its folder in the text format of Prometheus, version 0.0.4.
  fileprivate var metricsText: String {
    let counters = store.counters
    let numbers = metrics.current
    let waiting = [("lists", queues.lists), ("items", queues.items), ("history", queues.history)]
    return [
      gauge("notes_watch_items", "Items in the folder.", counters.items),
      gauge("notes_watch_problems", "Files with a problem.", counters.problems),
      gauge("notes_watch_streams", "Open streams.", streams.count),
      gauge("notes_watch_connections", "Open connections.", numbers.connections),
      counter("notes_watch_connections_total", "Connections that were accepted.", numbers.accepted),
      counter("notes_watch_sent_bytes_total", "Bytes of answers that the system took.", numbers.sentBytes),
      metric(
        "notes_watch_waiting_requests", "gauge", "Requests that run or wait.",
        waiting.map { name, queue in ([("queue", name)], queue.count) }),
      counter(
        "notes_watch_batches_total", "Batches of file changes in the folder, also those that no view shows.",
        counters.watch?.batches ?? 0),
      counter(
        "notes_watch_events_total", "Events of files that the system reported.",
        counters.watch?.events ?? 0),
      counter(
        "notes_watch_rescans_total", "Times that the complete folder was read again.",
        counters.watch?.rescans ?? 0),
      counter(
        "notes_watch_missed_changes_total", "Changes that no event had reported.", counters.missedChanges),
      metric(
        "notes_watch_requests_total", "counter", "Answered requests.",
        numbers.requests.sorted { $0.key < $1.key }.map { request, count in
          ([("route", request.route), ("method", request.method), ("status", "\(request.status)")], count)
        }),
    ].joined()
  }
}

private func gauge(_ name: String, _ help: String, _ number: Int) -> String {
  metric(name, "gauge", help, [([], number)])
}

private func counter(_ name: String, _ help: String, _ number: Int) -> String {
  metric(name, "counter", help, [([], number)])
}

private func metric(
  _ name: String, _ kind: String, _ help: String,
  _ samples: [(labels: [(name: String, value: String)], number: Int)]
) -> String {
  let lines = samples.map { sample in
    let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
    return "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.number)\n"
  }
  return "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(lines.joined())"
}

private func escaped(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "\\": escaped += #"\\"#
    case "\n": escaped += #"\n"#
    case "\"": escaped += #"\""#
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}
