import FuzzProperties

@_cdecl("LLVMFuzzerTestOneInput")
public func checkRegex(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  RegexProperties.check(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
