import Store

/// A frame that was given to the terminal: what the person sees when it is painted.
struct PaintedFrame {
  let number: Int
  let list: ListSnapshot<Item>?
  let problems: [Problem]
  let cursor: ScreenRow?
  let layout: ScreenLayout
  let rows: [Int: ScreenRow]
  let recent: RecentRows

  /// The rows of the frame, for their order.
  var walk: RowWalk? { list.map { RowWalk($0, problems, height: 0) } }
}

/// The frames that are under way to the terminal, and the one that it shows. An input names the frame that
/// was painted when it was pressed: a key acts on what was on the screen, whatever has arrived since.
struct PaintedFrames {
  /// The most frames under way. With more, the oldest is forgotten: input that belongs to it acts on no row.
  static let maxUnderWay = 8

  private var frames: [PaintedFrame] = []
  /// The last movement of the cursor, and the number of the frame that was drawn last before it.
  private var movement: (target: ScreenRow, after: Int)?

  var last: PaintedFrame? { frames.last }

  mutating func add(_ frame: PaintedFrame) {
    frames.removeAll { $0.number >= frame.number }
    frames.append(frame)
    if frames.count > PaintedFrames.maxUnderWay + 1 { frames.removeFirst() }
  }

  mutating func paint(_ number: Int) {
    guard let index = frames.lastIndex(where: { $0.number <= number }) else { return }
    frames.removeFirst(index)
  }

  /// Nil if it is not known which frame was painted when an input was pressed: it must not act on a row.
  subscript(number: Int) -> PaintedFrame? { frames.last { $0.number <= number } }

  mutating func recordMovement(to target: ScreenRow) {
    movement = (target, frames.last?.number ?? .min)
  }

  /// The row of the frame's cursor, moved by what was typed since the frame was drawn.
  func meantRow(in frame: PaintedFrame) -> ScreenRow? {
    guard let movement, movement.after >= frame.number else { return frame.cursor }
    return movement.target
  }
}

/// Finds updates that show what the person's own actions changed. Update and outcome come in either order.
struct OwnChanges {
  /// The maximum time between an outcome and an update that comes after it.
  private static let maxDelay = Duration.seconds(1)

  /// The items of the last update since an action began; nil if there was none.
  private var updated: Set<Item.ID>?
  private var underWay = 0
  /// The items of an outcome whose update has not come yet.
  private var expected: (ids: Set<Item.ID>, end: ContinuousClock.Instant)?

  mutating func begin() {
    updated = nil
    underWay += 1
  }

  /// Returns true if an update shows only what the last action changed.
  mutating func observe(_ update: ListUpdate<Item>, at time: ContinuousClock.Instant) -> Bool {
    let wanted = exchange(&expected, with: nil)
    guard update.origin == .files, underWay > 0 || wanted != nil else { return false }
    let ids = Set(update.diff.changes.map(\.item.item))
    if underWay > 0 { updated = ids }
    guard let wanted, time <= wanted.end else { return false }
    return !ids.isEmpty && ids.isSubset(of: wanted.ids)
  }

  /// Returns true if the last update shows only what the action of this outcome changed.
  mutating func observe(_ outcome: ActionOutcome, at time: ContinuousClock.Instant) -> Bool {
    guard outcome.action != nil else { return false }
    underWay = max(underWay - 1, 0)
    let ids = Set(outcome.changed.map(\.item))
    guard let updated = exchange(&updated, with: nil) else {
      expected = ids.isEmpty ? nil : (ids, time + OwnChanges.maxDelay)
      return false
    }
    return !updated.isEmpty && updated.isSubset(of: ids)
  }
}
