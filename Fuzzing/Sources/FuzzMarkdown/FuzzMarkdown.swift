import FuzzProperties
import Values

@_cdecl("LLVMFuzzerTestOneInput")
public func checkMarkdown(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  TextProperties.check(UnsafeRawBufferPointer(start: start, count: count), as: .markdown)
  return 0
}
