import Glibc
package import SystemPackage

/// Repeats a system call while a signal interrupts it.
///
/// - Returns: What the call returns; negative if it failed, and then `errno` says why.
package func retryOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Makes a system call, repeats it while a signal interrupts it, and throws the error it reports.
///
/// ```swift
/// let file = try systemCall { open(path, O_RDONLY | O_CLOEXEC) }
/// ```
@discardableResult
package func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
  let result = retryOnInterrupt(call)
  if result < 0 { throw .current }
  return result
}

extension Errno {
  /// The error of the last system call of this thread.
  package static var current: Errno { Errno(rawValue: errno) }
}
