package import Store

/// The view of a reader who changes it with control lines, and the answers to these lines.
package struct ControlledView: Sendable {
  /// Makes a view from the settings, with the options of this run applied.
  package typealias Resolver =
    @Sendable (ViewDefinition) -> @Sendable (Settings) throws(SettingsError) -> ViewDefinition

  /// The view that the reader's first request and the control lines define.
  private var own: ViewDefinition
  private let resolve: Resolver
  private var lineNumber = 0

  package static let errorCode = "bad-control"

  package enum Answer: Sendable {
    /// The line acknowledged a token. It has no answer in the stream.
    case acknowledged
    /// The list was asked for another view. The events are the one that was due before, and the one
    /// that this caused; nil if nothing changed. Without the second one, a bookmark is the answer.
    case changed(earlier: ListEvent?, answer: ListEvent?)
    /// The line changes nothing. The message says why.
    case refused(String)
  }

  package init(_ own: ViewDefinition, resolving resolve: @escaping Resolver) {
    self.own = own
    self.resolve = resolve
  }

  /// Applies a control line to a list. `acknowledge` records an acknowledged token, and returns false
  /// if it is unknown.
  package mutating func answer(
    _ line: ControlLine, of results: LiveList<Item>, to subscription: ListSubscription,
    acknowledging acknowledge: (String) -> Bool
  ) -> Answer {
    lineNumber += 1
    let changed: ViewDefinition
    do throws(TextError) {
      switch try line.request(changing: own) {
      case .view(let view): changed = view
      case .acknowledgement(let token):
        if acknowledge(token) { return .acknowledged }
        throw line.error(
          "The token `\(token)` is unknown. Use a token of this stream.", at: [ControlLine.acknowledgementKey]
        )
      }
    } catch {
      return refusal("column \(error.column): \(error.message)")
    }
    let resolver = resolve(changed)
    do throws(SettingsError) {
      let steps = try results.follow(
        { settings throws(SettingsError) in try resolver(settings).request }, answering: subscription)
      own = changed
      return .changed(earlier: steps.earlier, answer: steps.answer)
    } catch {
      return refusal(error.description)
    }
  }

  private func refusal(_ reason: String) -> Answer { .refused("Control line \(lineNumber), \(reason)") }
}
