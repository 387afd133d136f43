import FuzzProperties
import Values

@_cdecl("LLVMFuzzerTestOneInput")
public func checkScanner(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  ScannerProperties.check(bytes, as: .yaml)
  ScannerProperties.check(bytes, as: .markdown)
  return 0
}
