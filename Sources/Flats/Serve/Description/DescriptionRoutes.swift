import CWebPage
import HTTPTypes
import Store

extension Router {
  /// Adds the routes that describe the server itself.
  mutating func addDescriptionRoutes(_ context: WebContext) {
    on(.get, "/health") { request throws(ProblemDocument) in
      try request.allowOnly([])
      return ServerResponse(type: "application/json", Array("{\"status\":\"ok\"}\n".utf8))
    }
    on(.get, "/metrics") { request throws(ProblemDocument) in
      try request.allowOnly([])
      return ServerResponse(type: MetricsText.type, Array(context.metricsText.utf8))
    }
    let description = CWebPageDescription().map(\.pointee.data) ?? []
    on(.get, "/openapi.json") { request throws(ProblemDocument) in
      try request.allowOnly([])
      return ServerResponse(type: "application/json", description)
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
