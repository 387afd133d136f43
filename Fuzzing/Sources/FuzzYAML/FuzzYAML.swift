import FuzzProperties
import Values

@_cdecl("LLVMFuzzerTestOneInput")
public func checkYAML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  TextProperties.check(UnsafeRawBufferPointer(start: start, count: count), as: .yaml)
  return 0
}
