import Glibc
package import Terminal

/// The terminal emulator of libvterm, which Vim and Neovim use, as a second opinion.
package final class LibVTerm {
  private typealias Make = @convention(c) (CInt, CInt) -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer) -> Void
  private typealias SetFlag = @convention(c) (OpaquePointer, CInt) -> Void
  private typealias Obtain = @convention(c) (OpaquePointer) -> OpaquePointer?
  private typealias Input = @convention(c) (OpaquePointer, UnsafePointer<UInt8>, Int) -> Int
  /// The position is a structure of two `int`, which is passed in one register.
  private typealias Get = @convention(c) (OpaquePointer, Int64, UnsafeMutableRawPointer) -> CInt
  private typealias Cursor = @convention(c) (OpaquePointer, UnsafeMutableRawPointer) -> Void

  /// One cell.
  package struct Cell: Hashable {
    package var text: String
    package var columns: Int
    package var isBold: Bool
    package var isUnderlined: Bool
    package var isReversed: Bool

    package init(text: String, columns: Int, isBold: Bool, isUnderlined: Bool, isReversed: Bool) {
      (self.text, self.columns, self.isBold, self.isUnderlined, self.isReversed) = (
        text, columns, isBold, isUnderlined, isReversed
      )
    }
  }

  package let size: ScreenSize
  private let library: UnsafeMutableRawPointer
  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private let state: OpaquePointer

  /// True if the library is installed.
  package static var isInstalled: Bool { LibVTerm(ScreenSize(columns: 1, rows: 1)) != nil }

  /// Creates a terminal; nil if the library is not installed.
  package init?(_ size: ScreenSize) {
    guard let library = dlopen("libvterm.so.0", RTLD_NOW) else { return nil }
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard let make = function("vterm_new", as: Make.self),
      let terminal = make(CInt(size.rows), CInt(size.columns)),
      let screen = function("vterm_obtain_screen", as: Obtain.self)?(terminal),
      let state = function("vterm_obtain_state", as: Obtain.self)?(terminal)
    else { return nil }
    (self.size, self.library, self.terminal, self.screen, self.state) = (
      size, library, terminal, screen, state
    )
    function("vterm_set_utf8", as: SetFlag.self)?(terminal, 1)
    function("vterm_screen_enable_altscreen", as: SetFlag.self)?(screen, 1)
    function("vterm_screen_reset", as: SetFlag.self)?(screen, 1)
  }

  deinit { function("vterm_free", as: Free.self)?(terminal) }

  /// Takes output.
  package func receive(_ output: [UInt8]) {
    guard let write = function("vterm_input_write", as: Input.self) else { return }
    output.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { _ = write(terminal, base, bytes.count) }
    }
  }

  /// Returns a cell. The continuation of a wide character has an empty text.
  package func cell(row: Int, column: Int) -> Cell {
    let place = Int64(UInt64(UInt32(column)) << 32 | UInt64(UInt32(row)))
    // Six characters, a width at 24, flags at 28, two colours at 32 and 36.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    guard let base = memory.baseAddress, let get = function("vterm_screen_get_cell", as: Get.self) else {
      return Cell(text: "", columns: 0, isBold: false, isUnderlined: false, isReversed: false)
    }
    _ = get(screen, place, base)
    let characters = (0..<6).map { memory.load(fromByteOffset: $0 * 4, as: UInt32.self) }
    var text = String.UnicodeScalarView()
    for value in characters.prefix(while: { $0 != 0 && $0 != .max }) {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    let flags = memory.load(fromByteOffset: 28, as: UInt32.self)
    return Cell(
      text: characters[0] == .max ? "" : text.isEmpty ? " " : String(text),
      columns: Int(memory.load(fromByteOffset: 24, as: Int8.self)),
      isBold: flags & 1 != 0, isUnderlined: flags >> 1 & 3 != 0, isReversed: flags >> 5 & 1 != 0)
  }

  /// The texts of the rows, without the spaces at their ends.
  package var lines: [String] {
    (0..<size.rows).map { row in
      let text = (0..<size.columns).map { cell(row: row, column: $0).text }.joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The place of the cursor.
  package var cursor: CellPosition {
    var place: Int64 = 0
    function("vterm_state_get_cursorpos", as: Cursor.self)?(state, &place)
    return CellPosition(
      row: Int(Int32(truncatingIfNeeded: place)), column: Int(Int32(truncatingIfNeeded: place >> 32)))
  }

  private func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(library, name).map { unsafeBitCast($0, to: type) }
  }
}
