import Browse
import Store

/// The actions of `browse`: those of the store, and saving what the person edited.
struct BrowseActions: Sendable {
  private let store: ItemStore
  private let actions: StoreActions
  private let texts: EditedTexts

  /// - Parameter texts: The texts from the editor.
  init(_ store: ItemStore, _ texts: EditedTexts, limits: ReadLimits) {
    (self.store, self.texts) = (store, texts)
    actions = StoreActions(store) { words, fields in try FieldWords(words).resolved(limits).edits(of: fields)
    }
  }

  @Sendable func perform(_ action: ItemAction) async -> ActionOutcome {
    guard case .edit = action else { return await actions.perform(action) }
    return await save(texts.next())
  }

  /// Saves what the editor left as one step that can be undone. What is to be said about the other
  /// items comes after it.
  private func save(_ result: ScreenEditing.Result) async -> ActionOutcome {
    guard !result.texts.isEmpty else {
      return actions.addingNextSteps(to: result.outcome ?? ActionOutcome("Nothing was edited."))
    }
    var outcome = await save(result.texts)
    if let rest = result.outcome {
      outcome.message += " \(rest.message)"
      outcome.isFailure = outcome.isFailure || rest.isFailure
    }
    return outcome
  }

  private func save(_ texts: [EditedText]) async -> ActionOutcome {
    var scope = EditScope()
    for text in texts { scope.replace(text.id, with: text.text, readAt: text.revision) }
    do throws(StoreError) {
      let report = try await store.saveEach(scope, policy: .error)
      var outcome = actions.record(report.outcomes, as: .save)
      for (text, saved) in zip(texts, report.outcomes) {
        if let message = text.finish(saved.error != nil) { outcome.message += " \(message)" }
      }
      return outcome
    } catch {
      let kept = texts.compactMap { $0.finish(true) }
      return actions.addingNextSteps(
        to: ActionOutcome((["\(error)"] + kept).joined(separator: " "), isFailure: true))
    }
  }
}
