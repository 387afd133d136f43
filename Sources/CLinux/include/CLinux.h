// The few calls of Linux that Swift's Glibc module lacks, or cannot call because they are variadic.
// Each returns what the system call returns: -1 with errno set on failure.
#ifndef CLINUX_H
#define CLINUX_H

#include <spawn.h>
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

// renameat2(2) within one folder. Flags: CLINUX_RENAME_NOREPLACE, CLINUX_RENAME_EXCHANGE, or 0.
#define CLINUX_RENAME_NOREPLACE 1u
#define CLINUX_RENAME_EXCHANGE 2u
int clinux_rename(int directory, const char *from, const char *to, unsigned flags);

// flistxattr(2), fgetxattr(2), fsetxattr(2), fremovexattr(2).
ssize_t clinux_list_attributes(int file, char *names, size_t size);
ssize_t clinux_get_attribute(int file, const char *name, void *value, size_t size);
int clinux_set_attribute(int file, const char *name, const void *value, size_t size);
int clinux_remove_attribute(int file, const char *name);

// A read lease (fcntl(2), F_SETLEASE) on a file that is open for reading only: EAGAIN while somebody has it open for writing, and who
// wants to open it so, or to truncate it, is held up until the lease ends. What the system sends when that happens is SIGURG, which nobody minds.
int clinux_take_lease(int file);

// 1 while nobody wants to write; 0 where somebody is held up, or there is no lease.
int clinux_lease_holds(int file);

int clinux_end_lease(int file);

// eventfd(2), non-blocking and close-on-exec.
int clinux_eventfd(void);

// The magic number of the file system that `path` lies on (statfs(2)), or -1 with errno set.
int64_t clinux_filesystem(const char *path);

// pipe2(2): both ends are close-on-exec.
int clinux_pipe(int ends[2]);

// posix_spawn_file_actions_addclosefrom_np(3).
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

// Ends the process group `group`, too, when SIGINT, SIGTERM or SIGHUP ends this program, until it is released: a child in a group of its own
// gets no signal from the terminal. A signal that somebody handles or ignores is left alone. At most 16 groups at a time.
void clinux_guard_group(pid_t group);
void clinux_release_group(pid_t group);

// Makes this process the parent of every descendant whose own parent ends (prctl(2), PR_SET_CHILD_SUBREAPER).
int clinux_adopt_orphans(void);

// 1 if this process has a child in the process group, running or ended and not reaped; else 0.
int clinux_has_children(pid_t group);

// A child that has ended and is not reaped, which stays so; 0 if there is none.
pid_t clinux_next_ended_child(void);

// Blocks until the child has ended, and leaves it to be reaped.
int clinux_await_end(pid_t child);

// pidfd_open(2): readable when the process has ended. Close-on-exec.
int clinux_process_descriptor(pid_t process);

// 1 if the kernel has pidfd_open(2).
int clinux_has_process_descriptors(void);

#endif
