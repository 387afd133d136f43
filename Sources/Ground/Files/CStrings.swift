import Glibc

/// Calls `body` with strings as a system call expects them: each ends at its first NUL, and a null
/// pointer follows the last one. They are valid during the call.
package func withCStrings<Result>(_ strings: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result)
  -> Result
{
  let copies = strings.map { string in strdup((string + [0]).map { CChar(bitPattern: $0) }) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
