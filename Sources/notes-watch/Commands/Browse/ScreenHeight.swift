import ArgumentParser

/// The height of the list below the prompt: a number of rows, or a part of the window.
enum ScreenHeight: ExpressibleByArgument, Hashable {
  /// A number of rows.
  case rows(Int)
  /// A part of the window, from 1 to 100.
  case percent(Int)

  init?(argument: String) {
    if argument.hasSuffix("%") {
      guard let percent = Int(argument.dropLast()), (1...100).contains(percent) else { return nil }
      self = .percent(percent)
    } else {
      guard let rows = Int(argument), (1...10_000).contains(rows) else { return nil }
      self = .rows(rows)
    }
  }

  /// Returns the number of rows in a window.
  func rows(of window: Int) -> Int {
    switch self {
    case .rows(let rows): max(1, min(rows, window))
    case .percent(let percent): max(1, min(window, window.multipliedReportingOverflow(by: percent).partialValue / 100))
    }
  }
}
