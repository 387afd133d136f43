import HTTPTypes
import Serve
import TestSupport
import Testing
import Values

struct DescriptionRoutesTests {
  @Test func `The description has each route and method of the router`() async throws {
    let served = try await ServedFolder([:])
    let answer = try await served.get("/openapi.json")
    #expect(answer.json["openapi"] == "3.1.0")
    let paths = answer.json["paths"]?.fields ?? [:]
    var described: Set<String> = []
    for (path, item) in paths {
      for (method, _) in item.fields ?? [:] where method != "parameters" {
        described.insert("\(method.uppercased()) \(path)")
      }
    }
    let routes = served.server.operations.map { operation in
      "\(operation.method.rawValue) \(operation.path.hasPrefix("/assets/") ? "/assets/{name}" : operation.path)"
    }
    #expect(!routes.isEmpty)
    #expect(Set(routes).subtracting(described) == [])
    // The guard in front of the router answers the routes of sessions.
    #expect(described.subtracting(routes).subtracting(["GET /session", "POST /session/url"]) == [])
  }

  @Test func `Each reference of the description leads to a part of it`() async throws {
    let served = try await ServedFolder([:])
    let document = try await served.get("/openapi.json").json
    var references: [String] = []
    func collect(_ value: Value) {
      switch value {
      case .map(let fields):
        for (key, value) in fields {
          if key == "$ref" { references.append(value.text) }
          collect(value)
        }
      case .list(let elements): elements.forEach(collect)
      default: break
      }
    }
    collect(document)
    #expect(references.count > 100)
    for reference in Set(references) {
      let value = reference.split(separator: "/").dropFirst().reduce(document as Value?) { $0?[String($1)] }
      #expect(value != nil, "\(reference)")
    }
  }

  @Test func `Health says that the server answers`() async throws {
    let served = try await ServedFolder([:])
    #expect(try await served.get("/health").json == ["status": "ok"])
    #expect(try await served.get("/health?x=1").status == 400)
  }

  @Test func `Metrics are in the format of Prometheus`() async throws {
    let served = try await ServedFolder(["ada.yaml": "name: Ada\n", "bad.yaml": "a: [\n"])
    _ = try await served.get("/items")
    _ = try await served.get("/\"odd\\\n")
    let answer = try await served.get("/metrics")
    #expect(answer.type == "text/plain; version=0.0.4; charset=utf-8")
    let samples = try PrometheusText.parse(answer.text)
    #expect(samples["notes_watch_items"] == 1)
    #expect(samples["notes_watch_problems"] == 1)
    #expect(samples["notes_watch_requests_total{route=\"/items\",method=\"GET\",status=\"200\"}"] == 1)
    #expect(samples["notes_watch_requests_total{route=\"other\",method=\"GET\",status=\"404\"}"] == 1)
  }
}

/// A strict reader of the text format of Prometheus.
private enum PrometheusText {
  struct Malformed: Error { let line: String }

  /// Returns the numbers of the samples. Each sample must follow the HELP and TYPE of its metric.
  static func parse(_ text: String) throws -> [String: Int] {
    var samples: [String: Int] = [:]
    var metric = (name: "", hasType: false)
    var known: Set<String> = []
    guard text.hasSuffix("\n") else { throw Malformed(line: "end") }
    for line in text.split(separator: "\n") {
      if let help = line.wholeMatch(of: #/# HELP ([a-z_]+) (?:[^\\\n]|\\\\|\\n)+/#) {
        guard known.insert(String(help.1)).inserted else { throw Malformed(line: String(line)) }
        metric = (String(help.1), false)
      } else if let type = line.wholeMatch(of: #/# TYPE ([a-z_]+) (counter|gauge)/#) {
        guard type.1 == metric.name, !metric.hasType, type.2 == "gauge" || type.1.hasSuffix("_total") else {
          throw Malformed(line: String(line))
        }
        metric.hasType = true
      } else if let sample = line.wholeMatch(
        of: #/(([a-z_]+)(?:\{(?:[a-z]+="(?:[^\\"\n]|\\\\|\\"|\\n)*",?)+\})?) ([0-9]+)/#)
      {
        guard sample.2 == metric.name, metric.hasType, samples[String(sample.1)] == nil else {
          throw Malformed(line: String(line))
        }
        samples[String(sample.1)] = Int(sample.3)
      } else {
        throw Malformed(line: String(line))
      }
    }
    return samples
  }
}
