/// The modes of a terminal that the screen changes, as bytes that set and restore them.
///
/// One set of bytes restores every state: terminals ignore the reset of a mode that is not set.
/// Only what is kept in a stack (title, keyboard protocol) is restored if it was changed.
struct ScreenModes {
  /// The rows below the prompt: the first one, and where the cursor was, and is to be at the end. Nil
  /// for the alternate screen.
  var region: (top: Int, origin: CellPosition)?
  var usesMouse = true
  var hasKeyboardProtocol = false
  var setsClusters = false
  /// The title of the window, safe to be sent; nil while it is the one from before.
  var title: String?
  /// False for a terminal that has only one screen.
  var hasAlternateScreen = true

  /// The bytes that enter the screen, except for what the terminal has to offer first.
  var entering: [UInt8] {
    // 7: no wrapping of lines; 2004: pasted texts are marked; 1004: focus; 1000, 1002 and 1006:
    // clicks, movements with a button held, and their form.
    var text = region == nil ? "\u{1B}[?1049h" : ""
    text += "\u{1B}[0m\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1004h"
    if usesMouse { text += "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" }
    if region == nil { text += "\u{1B}[H\u{1B}[2J" }
    return Array((text + offered).utf8)
  }

  /// The bytes that enter the screen again if it was not left. The title and the flags of the
  /// keyboard are removed from the terminal's stacks first: they would be there twice.
  var reentering: [UInt8] {
    Array(
      ((title == nil ? "" : ScreenModes.oldTitle)
        + (hasKeyboardProtocol ? ScreenModes.oldKeyboardProtocol : "")).utf8) + entering
  }

  /// The bytes that set what the terminal offers, when the screen is entered again.
  private var offered: String {
    (hasKeyboardProtocol ? ScreenModes.keyboardProtocol : "") + (setsClusters ? ScreenModes.clusters : "")
      + (title == nil ? "" : ScreenModes.keptTitle + String(decoding: titleBytes, as: UTF8.self))
  }

  var titleBytes: [UInt8] { title.map { Array("\u{1B}]2;\($0)\u{1B}\\".utf8) } ?? [] }

  /// Pushes the flags 1 and 4 of kitty's keyboard protocol: sequences that are not ambiguous, and
  /// the Latin key of a key of another script.
  static let keyboardProtocol = "\u{1B}[>5u"
  /// Restores the flags from the terminal's stack.
  private static let oldKeyboardProtocol = "\u{1B}[<u"
  static let clusters = "\u{1B}[?2027h"
  /// Keeps the title of the window in the terminal's stack.
  static let keptTitle = "\u{1B}[22;2t"
  /// Restores the title from the terminal's stack.
  private static let oldTitle = "\u{1B}[23;2t"

  /// The bytes that restore the terminal from any state, in the middle of a sequence too: the first
  /// one ends it. The margins are set for a moment when a frame moves rows.
  var leaving: [UInt8] {
    var text = "\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[r"
    if hasKeyboardProtocol { text += ScreenModes.oldKeyboardProtocol }
    if setsClusters { text += "\u{1B}[?2027l" }
    if usesMouse { text += "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" }
    text += "\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?7h"
    if let region {
      text +=
        "\u{1B}[\(region.top + 1);1H\u{1B}[J\u{1B}[\(region.origin.row + 1);\(region.origin.column + 1)H"
    } else {
      text += hasAlternateScreen ? "\u{1B}[?1049l" : "\u{1B}[?1049l\u{1B}[H\u{1B}[J"
    }
    if title != nil { text += ScreenModes.oldTitle }
    return Array((text + "\u{1B}[?25h").utf8)
  }
}
