import Synchronization

/// The numbers of a server's requests and connections.
package final class WebMetrics: Sendable {
  struct Request: Hashable, Comparable {
    let route: String
    let method: String
    let status: Int

    static func < (a: Request, b: Request) -> Bool {
      (a.route, a.method, a.status) < (b.route, b.method, b.status)
    }
  }

  struct Numbers {
    var requests: [Request: Int] = [:]
    var connections = 0
    var accepted = 0
    var sentBytes = 0
  }

  /// Lock: guards the counts of requests and connections. Nothing else is locked under it.
  private let numbers = Mutex(Numbers())

  package init() {}

  /// Records an answer. `route` is nil if there is none. Clients' paths aren't used as labels, since there
  /// can be any number of them; unknown methods count as one.
  func record(route: String?, method: String, status: Int) {
    let method = WebMetrics.methods.contains(method) ? method : "other"
    numbers.withLock {
      $0.requests[Request(route: route ?? "other", method: method, status: status), default: 0] += 1
    }
  }

  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  package func connectionOpened() {
    numbers.withLock { numbers in
      numbers.connections += 1
      numbers.accepted += 1
    }
  }

  package func connectionClosed() { numbers.withLock { $0.connections -= 1 } }

  /// Records bytes that the system took for a client.
  package func sent(_ count: Int) { numbers.withLock { $0.sentBytes += count } }

  var current: Numbers { numbers.withLock { $0 } }
}
