import HTTPTypes
import Store

/// The views that a client opens, changes or closes: a JSON object from the ids of views to views.
struct RequestedViews {
  /// The views by their ids, in order; nil to close one. A mistake is reported in the stream.
  private(set) var views: [(id: String, view: Result<RequestedView?, ProblemDocument>)] = []

  static let maxCount = 64
  /// The names of events that are not views.
  private static let reserved = ["stream", "message", "error", "open"]

  /// Reads the views: 400 if it is not an object from ids to views. A mistake in one view is part of the
  /// result.
  init(_ value: Value) throws(ProblemDocument) {
    guard case .map(let views) = value else {
      throw ProblemDocument(
        .badRequest,
        "views: expected an object from ids to views, such as {\"a\":{}}, found \(value.kindName).")
    }
    guard views.count <= RequestedViews.maxCount else {
      throw ProblemDocument(
        .badRequest, "There are \(views.count) views, but a stream has at most \(RequestedViews.maxCount).")
    }
    for (id, view) in views {
      guard RequestedViews.isID(id) else {
        throw ProblemDocument(
          .badRequest,
          "`\(id)` is not an id of a view. Use 1 to 32 of the characters A-Z, a-z, 0-9, _ and -; "
            + "\(RequestedViews.reserved.joined(separator: ", ")) are names of other events.")
      }
      let requested = Result { () throws(ProblemDocument) -> RequestedView? in
        view == .null ? nil : try RequestedView(view)
      }
      self.views.append((id, requested))
    }
  }

  /// Asks for the only view of a stream that is not multiplexed.
  init(only view: RequestedView) { views = [(StreamTask.onlyView, .success(view))] }

  /// Lets each view continue after the token that its client has.
  mutating func resume(after tokens: [String: String]) {
    for (place, (id, view)) in views.enumerated() {
      guard case .success(var view?) = view, let token = tokens[id] else { continue }
      view.since = token
      views[place].view = .success(view)
    }
  }

  private static func isID(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && !reserved.contains(text)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
      }
  }

  /// Reads JSON: a mistake is a 400 with its line and column.
  static func value(reading bytes: [UInt8], of place: String) throws(ProblemDocument) -> Value {
    do throws(TextError) {
      return try PackedValue(reading: bytes, as: .json).value
    } catch {
      throw .json("\(place) is not JSON", error)
    }
  }
}
