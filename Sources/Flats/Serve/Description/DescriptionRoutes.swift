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
}

extension Router {
  mutating func addHealthRoute() {
    on(.get, "/health") { request throws(ProblemDocument) in
      try request.target.allowOnly([])
      return ServerResponse(json: ["status": "ok"])
    }
  }
}

extension WebContext {
  /// The numbers of the server and its folder for Prometheus.
  fileprivate var metricsText: String {
    let (counters, numbers) = (store.counters, metrics.current)
    var text = MetricsText()
    text.write("notes_watch_items", .gauge, "Items in the folder.", counters.items)
    text.write("notes_watch_problems", .gauge, "Files with a problem.", counters.problems)
    text.write("notes_watch_streams", .gauge, "Open streams.", streams.count)
    text.write("notes_watch_connections", .gauge, "Open connections.", numbers.connections)
    text.write("notes_watch_connections_total", .counter, "Connections that were accepted.", numbers.accepted)
    text.write(
      "notes_watch_sent_bytes_total", .counter, "Bytes of answers that the system took.", numbers.sentBytes)
    text.write(
      "notes_watch_waiting_requests", .gauge, "Requests that run or wait.",
      [("lists", queues.lists), ("items", queues.items), ("history", queues.history)].map { name, queue in
        ([("queue", name)], queue.count)
      })
    text.write(
      "notes_watch_batches_total", .counter,
      "Batches of file changes in the folder, also those that no view shows.",
      counters.watch?.batches ?? 0)
    text.write(
      "notes_watch_events_total", .counter, "Events of files that the system reported.",
      counters.watch?.events ?? 0)
    text.write(
      "notes_watch_rescans_total", .counter, "Times that the complete folder was read again.",
      counters.watch?.rescans ?? 0)
    text.write(
      "notes_watch_missed_changes_total", .counter, "Changes that no event had reported.",
      counters.missedChanges)
    text.write(
      "notes_watch_requests_total", .counter, "Answered requests.",
      numbers.requests.sorted { $0.key < $1.key }.map { request, count in
        ([("route", request.route), ("method", request.method), ("status", "\(request.status)")], count)
      })
    return text.text
  }
}

/// Writes numbers in the text format of Prometheus, version 0.0.4.
private struct MetricsText {
  enum Kind: String {
    case counter, gauge
  }

  private(set) var text = ""

  mutating func write(_ name: String, _ kind: Kind, _ help: String, _ number: Int) {
    write(name, kind, help, [([], number)])
  }

  /// Writes a metric with one number for each set of labels.
  mutating func write(
    _ name: String, _ kind: Kind, _ help: String,
    _ samples: [(labels: [(name: String, value: String)], number: Int)]
  ) {
    text += "# HELP \(name) \(MetricsText.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(MetricsText.escaped($0.value, quotes: true))\"" }
        .joined(separator: ",")
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.number)\n"
    }
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += #"\\"#
      case "\n": escaped += #"\n"#
      case "\"" where quotes: escaped += #"\""#
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
