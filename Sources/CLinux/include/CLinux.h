// The few calls of Linux that Swift's Glibc module lacks, or cannot call because they are variadic.
// Each returns what the system call returns: -1 with errno set on failure.
#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/types.h>

struct clinux_stamp {
  uint64_t size, inode, device;
  int64_t modified_seconds, changed_seconds, created_seconds;
  uint32_t modified_nanoseconds, changed_nanoseconds, created_nanoseconds;
  uint32_t mode;
};

// openat2(2), never leaving `directory` and never through a symbolic link; where the kernel lacks it, `clinux_open_stepwise`.
int clinux_open_beneath(int directory, const char *path, int flags);

// The same by openat(2), one call for each folder of the path. EXDEV where a component is empty or "..".
int clinux_open_stepwise(int directory, const char *path, int flags);

// statx(2) of `path` from `directory` on, or of `directory` itself where `path` is "". A link at its end is not followed; links on the way are.
// Where there is no time of birth, `created` is the earlier of the other two.
int clinux_stat(int directory, const char *path, struct clinux_stamp *stamp);

// The same of what lies below `directory`, never leaving it and never through a link.
int clinux_stat_beneath(int directory, const char *path, struct clinux_stamp *stamp);

// eventfd(2), non-blocking and close-on-exec.
int clinux_eventfd(void);

// The magic number of the file system that `path` lies on (statfs(2)), or -1 with errno set.
int64_t clinux_filesystem(const char *path);

#endif
