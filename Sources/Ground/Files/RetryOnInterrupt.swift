import Glibc
package import SystemPackage

/// Repeats a system call while a signal interrupts it. A negative result failed; `errno` says why.
package func retryOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Makes a system call, repeats it while a signal interrupts it, and throws the error it reports.
@discardableResult
package func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
  let result = retryOnInterrupt(call)
  if result < 0 { throw .current }
  return result
}

extension Errno {
  package static var current: Errno { Errno(rawValue: errno) }

  /// The reason why a system call failed, as the end of a sentence, such as "permission denied". The package
  /// has only this table, so one cause has one wording in all messages.
  package var reason: String {
    switch rawValue {
    case Glibc.EACCES, Glibc.EPERM: "permission denied"
    case Glibc.EBUSY, Glibc.ETXTBSY: "another program is using it"
    case Glibc.EDQUOT: "the disk quota is used up"
    case Glibc.EEXIST: "something with this name already exists"
    case Glibc.EFBIG: "the file would be larger than is allowed (`ulimit -f`)"
    case Glibc.EIO: "the disk reports an input/output error"
    case Glibc.EISDIR: "it is a folder"
    case Glibc.ELOOP, Glibc.EXDEV: "its path leads through a symbolic link, which is not followed"
    case Glibc.EMFILE: "this process has too many open files (raise `ulimit -n`)"
    case Glibc.ENAMETOOLONG: "the name is longer than the file system allows"
    case Glibc.ENFILE: "the system has too many open files (raise fs.file-max)"
    case Glibc.ENOENT: "there is no such file or folder"
    case Glibc.ENOMEM: "there is not enough memory"
    case Glibc.ENOSPC: "the disk is full"
    case Glibc.ENOTDIR: "a part of its path is not a folder"
    case Glibc.EPIPE, Glibc.ECONNRESET: "the reader is gone"
    case Glibc.EROFS: "the file system is read-only"
    case Glibc.ESTALE: "the network file system no longer has it"
    default: systemText
    }
  }

  private var systemText: String {
    var text = [CChar](repeating: 0, count: 256)
    guard strerror_r(rawValue, &text, text.count) == 0 else { return "error \(rawValue)" }
    let sentence = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}
