#ifndef CWEBPAGE_H
#define CWEBPAGE_H

#include <stddef.h>

/// A file of the web page, embedded in the program.
struct CWebPageAsset {
  /// The path of the file below `Assets`.
  const char *name;
  /// Its bytes.
  const unsigned char *bytes;
  /// The number of its bytes.
  size_t count;
};

/// Returns the asset with an index from 0, or NULL if there are not as many.
const struct CWebPageAsset *CWebPageAssetAt(size_t index);

/// Returns the description of the interface for programs as OpenAPI 3.1, which is not an asset of
/// the page.
const struct CWebPageAsset *CWebPageDescription(void);

#endif
