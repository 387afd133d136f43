import PlainStore
import Values

/// A reader of the keys of a request. Keys that it does not know are ignored.
struct RequestReader {
  private let fields: Fields

  init(_ fields: Fields) {
    self.fields = fields
  }

  /// Throws if the request is not of version 1.
  func checkVersion() throws(RequestError) {
    let version = fields["v"]
    guard version != .number(.integer(ClientRequest.version)) else { return }
    let found = version.map { " \($0.isScalar ? $0.text : $0.kindName)" } ?? ""
    throw RequestError(
      .badRequest,
      "The request has \(found.isEmpty ? "no version" : "the version\(found)"), but the daemon speaks "
        + "version 1. Send \"v\":1."
    )
  }

  /// Returns the string of a key; nil if it is absent or null.
  func text(_ key: String) throws(RequestError) -> String? {
    switch fields[key] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    case let value?: throw mistake(key, "a string", value)
    }
  }

  /// Returns the number of a key; nil if it is absent or null.
  func count(_ key: String) throws(RequestError) -> Int? {
    switch fields[key] {
    case nil, .null?: return nil
    case .number(.integer(let count))? where count >= 0: return count
    case let value?: throw mistake(key, "an integer that is not negative", value)
    }
  }

  /// Returns the boolean of a key; false if it is absent or null.
  func flag(_ key: String) throws(RequestError) -> Bool {
    switch fields[key] {
    case nil, .null?: return false
    case .bool(let flag)?: return flag
    case let value?: throw mistake(key, "a boolean", value)
    }
  }

  /// Returns the folder, which is absolute; nil if it is absent.
  func folder() throws(RequestError) -> String? {
    guard let path = try text("folder") else { return nil }
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw RequestError(.badRequest, "folder: The path `\(path)` is not absolute. Begin it with `/`.")
    }
    return path
  }

  /// Returns a value that must be there.
  func required<Part>(_ part: Part?, _ key: String) throws(RequestError) -> Part {
    guard let part else { throw RequestError(.badRequest, "The request has no `\(key)`.") }
    return part
  }

  /// Returns the request for a list.
  func list() throws(RequestError) -> ClientRequest {
    var view = ViewRequest(folder: try required(folder(), "folder"))
    view.name = try text("named")
    switch fields["view"] {
    case nil, .null?: break
    case .string(let name)? where view.name == nil: view.name = name
    case .string?:
      throw RequestError(
        .badRequest,
        "view: With `named`, expected a map with parts of the view. Leave one of the two names out.")
    case .map(let parts)?: view.own = try definition(parts)
    case let value?: throw mistake("view", "the name of a view or a map with its parts", value)
    }
    view.since = try text("since")
    view.idField = try text("id-field")
    view.maxSize = try count("max-size")
    guard let output = fields["output"], output != .null else { return .stream(view) }
    guard case .map(let parts) = output else { throw mistake("output", "a map", output) }
    if view.since != nil {
      throw RequestError(.badRequest, "since: Only a stream can continue. Leave `since` or `output` out.")
    }
    return .rendered(view, try RequestReader(parts).output())
  }

  private func definition(_ parts: Fields) throws(RequestError) -> ViewDefinition {
    // A part that is null is not given.
    var given: Fields = [:]
    for (key, value) in parts where value != .null || !ViewDefinition.keys.contains(key) {
      given[key] = value
    }
    do throws(SettingsError) {
      return try ViewDefinition(given, at: ["view"])
    } catch {
      throw RequestError(.badView, error.description)
    }
  }

  private func output() throws(RequestError) -> OutputRequest {
    let formats = OutputRequest.Format.allCases.map(\.rawValue)
    let name = try required(text("format"), "output.format")
    guard let format = OutputRequest.Format(rawValue: name) else {
      throw RequestError(
        .badRequest,
        "output.format: There is no format `\(name)`. The formats are \(formats.joined(separator: ", ")).")
    }
    let output = OutputRequest(
      format, name: try text("name"), usesColor: try flag("color"), columns: try count("columns"),
      isTerminal: try flag("terminal"),
      once: try flag("once"))
    if format != .text, !output.once {
      throw RequestError(
        .badRequest,
        "output.format: Only `text` can follow the changes of a list. Send \"once\":true for `\(name)`.")
    }
    return output
  }

  private func mistake(_ key: String, _ expected: String, _ found: Value) -> RequestError {
    RequestError(.badRequest, "\(key): Expected \(expected), found \(found.kindName).")
  }
}

extension OutputRequest {
  /// The form as a request has it.
  var written: Fields {
    var fields: Fields = ["format": .string(format.rawValue)]
    fields["name"] = name.map(Value.string)
    fields["color"] = .bool(usesColor)
    fields["columns"] = columns.map { .number(.integer($0)) }
    fields["terminal"] = .bool(isTerminal)
    fields["once"] = .bool(once)
    return fields
  }
}
