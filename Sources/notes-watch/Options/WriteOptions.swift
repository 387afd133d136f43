import ArgumentParser
import PlainStore

/// Options of every command that writes.
struct WriteOptions: ParsableArguments {
  @Flag(
    name: [.customShort("n"), .long],
    help:
      "Write nothing; print what would change, as a diff for `git apply` in DIR, or for `git apply --directory=DIR` at the top of its repository."
  )
  var dryRun = false
}

/// What becomes of a change to a file that somebody else saved in the same moment.
struct PolicyOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      What to do where somebody else changed the item meanwhile: error (nothing is written), store or object (merged by field; of what both \
      changed the file's value stands, or ours), overwrite (theirs is lost), rollback (ours is lost). \
      The output names the fields that are not saved, and the exit code is 0.
      """, valueName: "policy"))
  var mergePolicy = MergePolicyChoice.error
}

/// The merge policies under the names that a person types.
enum MergePolicyChoice: String, ExpressibleByArgument, CaseIterable {
  case error, store, object, overwrite, rollback

  var policy: MergePolicy {
    switch self {
    case .error: .error
    case .store: .mergeByPropertyStoreTrump
    case .object: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}

/// The format of a new item.
enum FormatChoice: String, ExpressibleByArgument, CaseIterable {
  case yaml, json, md
}
