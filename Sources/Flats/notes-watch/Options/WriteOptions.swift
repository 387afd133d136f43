import ArgumentParser
import Store
import Values

struct WriteOptions: ParsableArguments {
  @Flag(
    name: [.customShort("n"), .long],
    help: """
      Write nothing; print the changes as a diff. Apply it with `git apply` in DIR, or with `git apply --directory=DIR` \
      at the top of its repository.
      """
  )
  var dryRun = false
}

/// The policy for changes to files that another program saved in the meantime.
struct PolicyOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      What to do if another program saved the item in the meantime: error writes nothing; store and object merge by \
      field, and a field that both changed gets the file's value (store) or yours (object); overwrite discards the other \
      change; rollback discards yours. The output names your fields that are not saved, and the exit code is 0.
      """, valueName: "POLICY"))
  private var mergePolicy = Choice.error

  /// The policies by the names that the command line uses.
  private enum Choice: String, ExpressibleByArgument, CaseIterable {
    case error, store, object, overwrite, rollback
  }

  var policy: MergePolicy {
    switch mergePolicy {
    case .error: .error
    case .store: .mergeByPropertyStoreTrump
    case .object: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}
