import Glibc
import Logging
import Printing
import Store
package import Values
import Processes

extension DaemonService {
  /// Returns a folder after it was read for the first time: the first client of a socket that systemd made
  /// starts the daemon. `path` is absolute, as the client sent it.
  package func folder(at path: String) async throws(RequestError) -> OpenedFolder {
    guard let service = folderService(at: path) else {
      let known = folders.isEmpty ? "no folders" : folders.map(\.path).joined(separator: ", ")
      throw RequestError(
        .unknownFolder,
        "The daemon does not serve \(path), but \(known). Add the folder to the daemon's configuration, or leave --connect out."
      )
    }
    await service.firstAttempt()
    let reason: String
    switch service.phase {
    case .open(let opened): return opened
    case .opening: reason = "The folder \(service.path) is being read. Try again in a moment."
    case .waiting(let why), .failed(let why): reason = why
    case .closed: reason = "The folder \(service.path) is being opened again. Try again in a moment."
    }
    throw RequestError(.notReady, "\(path) is not open yet: \(reason)")
  }

  /// The fields of the answer to `status`, without `v` and `type`, of one folder or of all (nil).
  package func status(of folder: String?) async throws(RequestError) -> Fields {
    var shown = folders
    if let folder {
      guard let service = folderService(at: folder) else { throw unknown(folder) }
      shown = [service]
    }
    let clients = await clients?.counts() ?? (all: 0, folders: [:])
    var fields: Fields = [:]
    fields["pid"] = .integer(Int(getpid()))
    fields["version"] = .string(environment.version)
    fields["started"] = .string(started.text)
    fields["config"] = .string(configuration.file)
    fields["socket"] = .string(socket)
    fields["memory"] = .integer(DaemonService.residentMemory)
    fields["clients"] = .integer(clients.all)
    fields["folders"] = .list(shown.map { .map($0.status(clients.folders)) })
    return fields
  }

  /// Continues a sink whose change failed too often.
  package func retry(_ sink: String, in folder: String) throws(RequestError) {
    guard let service = folderService(at: folder) else { throw unknown(folder) }
    let sinks = service.sinks
    if let found = sinks.first(where: { $0.configuration.name == sink }) { return found.proceed() }
    let names = service.configuration.sinks.map(\.name)
    let nearest = names.nearest(to: sink).map { " Did you mean `\($0)`?" } ?? ""
    let known = names.isEmpty ? "The folder has no sinks." : "The sinks are \(names.joined(separator: ", "))."
    if names.contains(sink) {
      throw RequestError(.notReady, "The sink `\(sink)` does not run yet: the folder \(folder) is not open.")
    }
    throw RequestError(.unknownSink, "The folder \(folder) has no sink `\(sink)`.\(nearest) \(known)")
  }

  private func unknown(_ folder: String) -> RequestError {
    let known = folders.map(\.path).joined(separator: ", ")
    return RequestError(
      .unknownFolder,
      "The daemon does not serve the folder \(folder). It serves \(known.isEmpty ? "none" : known).")
  }

  private func folderService(at path: String) -> FolderService? {
    let folders = folders
    let wanted = ConfigurationReader.normalized(path)
    if let folder = folders.first(where: { $0.path == wanted }) { return folder }
    // A folder that is missing has no path without links; the client may have sent that path.
    let root = realPath(wanted) ?? wanted
    return folders.first { folder in
      if case .open(let opened) = folder.phase { return opened.root == root }
      return realPath(folder.path) == root
    }
  }

  /// A sentence about all folders, for the service manager.
  var summary: String {
    let phases = folders.map(\.phase)
    let stores = phases.compactMap { phase -> ItemStore? in
      if case .open(let folder) = phase { folder.store } else { nil }
    }
    let items = stores.reduce(0) { $0 + $1.count }
    let missing = phases.count - stores.count
    let open = "\(Wording.plainCount(stores.count, "folder")) with \(Wording.plainCount(items, "item"))"
    return missing == 0 ? open : "\(open), \(missing) not open"
  }

  func logCounters() {
    for folder in folders {
      guard case .open(let opened) = folder.phase else { continue }
      environment.log.notice("\(folder.path): \(folder.meter.line(opened.store.counters))")
    }
  }

  /// The memory of this process that is in RAM, in bytes; 0 if the system does not say.
  private static var residentMemory: Int {
    guard let file = try? Descriptor.open("/proc/self/statm", O_RDONLY), let bytes = try? file.readAll()
    else { return 0 }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages.multipliedReportingOverflow(by: sysconf(CInt(_SC_PAGESIZE))).partialValue
  }
}

extension FolderService {
  fileprivate func status(_ clients: [String: Int]) -> Fields {
    var fields: Fields = ["path": .string(path)]
    switch phase {
    case .open(let folder):
      let counters = folder.store.counters
      let problem = folder.store.currentState.folderProblem
      fields["state"] = .string(problem == nil ? "open" : "missing")
      fields["reason"] = problem.map {
        .string("\($0.message) Its lists stay as they were until it is back.")
      }
      fields["items"] = .integer(counters.items)
      fields["problems"] = .integer(counters.problems)
      fields["clients"] = .integer(clients[folder.root] ?? 0)
      fields["counters"] = .map(meter.fields(counters))
    case .waiting(let reason): add("waiting", reason, to: &fields)
    case .failed(let reason): add("failed", reason, to: &fields)
    case .opening: add("waiting", "The folder is being read.", to: &fields)
    case .closed: add("waiting", "The folder is being opened again.", to: &fields)
    }
    fields["sinks"] = .list(sinks.map { .map($0.status) })
    return fields
  }

  private func add(_ state: String, _ reason: String, to fields: inout Fields) {
    fields["state"] = .string(state)
    fields["reason"] = .string(reason)
    for key in ["items", "problems", "clients"] { fields[key] = 0 }
    fields["counters"] = .map(meter.fields(StoreCounters()))
  }
}

package struct RequestError: Error {
  package let code: Code
  /// A sentence for people: where, what and what to do.
  package let message: String

  /// The reasons. Their raw values are the codes of problem documents.
  package enum Code: String {
    case badRequest = "bad-request"
    case unknownFolder = "unknown-folder"
    /// The folder is configured, but not open yet.
    case notReady = "not-ready"
    /// The folder was open, and is now missing or cannot be read.
    case missing
    /// The client asks for other ids or another size limit than the daemon has.
    case mismatch
    case unknownSink = "unknown-sink"
    case badView = "bad-view"
    case busy
    case tooManyStreams = "too-many-streams"
  }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
