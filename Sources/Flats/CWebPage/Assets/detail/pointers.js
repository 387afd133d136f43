/** Returns a JSON Pointer for people: `address/city`. */
export const nameOf = (pointer) => pointer.replace(/^\//, "").replaceAll("~1", "/").replaceAll("~0", "~");

/** Returns the value at a JSON Pointer; undefined if there is none. */
export function at(value, pointer) {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}
