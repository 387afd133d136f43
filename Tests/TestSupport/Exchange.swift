import Glibc

/// Exchanges two files in one step, by `renameat2` with `RENAME_EXCHANGE`, which Swift's Glibc
/// lacks.
///
/// - Returns: true if it succeeded.
@discardableResult
package func exchange(_ path: UnsafePointer<CChar>, _ other: UnsafePointer<CChar>) -> Bool {
  typealias RenameFunction =
    @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
  guard let symbol = dlsym(nil, "renameat2") else { return false }
  return unsafeBitCast(symbol, to: RenameFunction.self)(AT_FDCWD, path, AT_FDCWD, other, 2) == 0
}
