import Glibc

enum Memory {
  /// The resident memory of this process in bytes; zero if the system does not report it.
  static var resident: Int {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = line.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: " ")))
    guard fields.count > 1,
      let pages = Int(String(decoding: fields[1].map(UInt8.init(bitPattern:)), as: UTF8.self))
    else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Returns the growth of resident memory while `make` runs.
  static func added<Output>(by make: () throws -> Output) rethrows -> (bytes: Int, output: Output) {
    let before = resident
    let output = try make()
    return (resident - before, output)
  }
}
