import FuzzProperties
import Values

@_cdecl("LLVMFuzzerTestOneInput")
public func checkJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  TextProperties.check(UnsafeRawBufferPointer(start: start, count: count), as: .json)
  return 0
}
