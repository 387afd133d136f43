// The system calls of Linux that Swift's Glibc module lacks, or cannot call because they are
// variadic. Unless stated otherwise each returns the result of the system call: -1 with errno set
// on failure.
#ifndef CLINUX_H
#define CLINUX_H

#include "CLinuxTerminal.h"

#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

// The result of clinux_stat: the fields of statx(2) that identify a file and show that it changed.
struct clinux_stamp {
  uint64_t size, inode, device;
  int64_t modified_seconds, changed_seconds, created_seconds;
  uint32_t modified_nanoseconds, changed_nanoseconds, created_nanoseconds;
  uint32_t mode;
};

// Signals that arrived and were not returned yet.
struct clinux_signals;

// Takes over the signals `numbers`. It opens no file. Returns NULL if there is no memory; then the
// signals keep their actions.
struct clinux_signals *clinux_receive_signals(const int *numbers, int count);

// Waits for one of the signals, and returns it. A signal that comes again before it is returned is
// returned once. Only one thread may wait.
int clinux_next_signal(struct clinux_signals *signals);

// Returns 1 on the main thread of the process.
int clinux_is_main_thread(void);

// Opens `path` below `directory` by openat2(2). It never leaves `directory` and never follows a
// symbolic link. If the kernel lacks openat2, it calls `clinux_open_stepwise`.
int clinux_open_beneath(int directory, const char *path, int flags);

// Does what `clinux_open_beneath` does by openat(2), with one call per folder of the path.
// Fails with EXDEV if a component is empty or "..".
int clinux_open_stepwise(int directory, const char *path, int flags);

// Reads the stamp of `path` relative to `directory`, or of `directory` itself if `path` is "", by
// statx(2). A link at the end of the path is not followed; links on the way are. If the file system
// keeps no birth time, `created` is the earlier of the other two times.
int clinux_stat(int directory, const char *path, struct clinux_stamp *stamp);

// Reads the stamp of `path` without ever leaving `directory` or following a link.
int clinux_stat_beneath(int directory, const char *path, struct clinux_stamp *stamp);

// Opens the file `name` in `directory` for reading, reads its stamp and its contents, and closes it:
// four system calls. `name` has no '/', so it cannot lead out of the folder; a link is not followed.
// Returns the number of bytes read; -1 if the file is missing, not regular, not smaller than `room`,
// or could not be read to the end. Only on success are `stamp` and `buffer` meaningful.
ssize_t clinux_read_small_file(int directory, const char *name, struct clinux_stamp *stamp, void *buffer, size_t room);

// Sets up malloc for a program that allocates many small values on a few threads and frees few.
void clinux_tune_allocator(void);

// Makes sure that this thread's malloc can serve about `size` bytes without a system call.
void clinux_reserve_heap(size_t size);

// Renames within one folder, or moves to another one, by renameat2(2). Flags:
// CLINUX_RENAME_NOREPLACE, CLINUX_RENAME_EXCHANGE, or 0.
#define CLINUX_RENAME_NOREPLACE 1u
#define CLINUX_RENAME_EXCHANGE 2u
int clinux_move(int directory, const char *from, int other, const char *to, unsigned flags);

// Writes everything that the file system of an open file holds in memory to the disk, by syncfs(2).
int clinux_sync_file_system(int file);

// Returns 1 if `clinux_sync_file_system` fails whenever data that was written since `file` was
// opened did not reach the disk; 0 if that is not known. Linux 5.8 and later do so for file systems
// on a local disk.
int clinux_reports_sync_errors(int file);

// Extended attributes: flistxattr(2), fgetxattr(2), fsetxattr(2), fremovexattr(2).
ssize_t clinux_list_attributes(int file, char *names, size_t size);
ssize_t clinux_get_attribute(int file, const char *name, void *value, size_t size);
int clinux_set_attribute(int file, const char *name, const void *value, size_t size);
int clinux_remove_attribute(int file, const char *name);

// Acquires a read lease (fcntl(2), F_SETLEASE) on a file that is open for reading only. Fails with
// EAGAIN while a process has the file open for writing. A process that wants to write to it, or to
// truncate it, is blocked until the lease is released. The kernel then sends SIGURG, which is
// ignored by default.
int clinux_acquire_lease(int file);

// Returns 1 while no process wants to write; 0 if a process is blocked or there is no lease.
int clinux_lease_holds(int file);

// Releases the lease.
int clinux_release_lease(int file);

// Returns the number of bytes that can be read from a descriptor now, by ioctl(2) with FIONREAD.
int clinux_readable_bytes(int descriptor);

// Makes a non-blocking, close-on-exec event counter by eventfd(2).
int clinux_eventfd(void);

// Returns the magic number of the file system of `path` (statfs(2)).
int64_t clinux_filesystem(const char *path);

// Makes a pipe by pipe2(2). Both ends are close-on-exec.
int clinux_pipe(int ends[2]);

// Makes the spawned process change its working directory
// (posix_spawn_file_actions_addchdir_np(3)).
int clinux_change_directory(posix_spawn_file_actions_t *actions, const char *path);

// Makes the spawned process close every descriptor from `first` on
// (posix_spawn_file_actions_addclosefrom_np(3)).
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

// Ends the guarded process groups when SIGINT, SIGTERM or SIGHUP ends this program: a child in its
// own group gets no signal from the terminal. A signal that has a handler or is ignored is not
// changed. Only for programs: the actions of signals are theirs, and not those of a library.
void clinux_end_groups_by_signals(void);

// Guards the process group `group`. At most 16 groups at a time.
void clinux_guard_group(pid_t group);
// Stops guarding the group.
void clinux_release_group(pid_t group);

// Makes this process the parent of every descendant whose parent ends (prctl(2),
// PR_SET_CHILD_SUBREAPER).
int clinux_adopt_orphans(void);

// Returns 1 if this process has a child in the process group that runs, or has ended and is not
// reaped; else 0.
int clinux_has_children(pid_t group);

// Returns a child in the process group, or any child for 0, that has ended and is not reaped,
// without reaping it; 0 if there is none.
pid_t clinux_next_ended_child(pid_t group);

// Blocks until the child has ended. Does not reap it.
int clinux_await_end(pid_t child);

// Gives memory that was freed back to the system (malloc_trim(3)).
void clinux_trim_memory(void);

// Opens a descriptor that is readable when the process has ended (pidfd_open(2)). Close-on-exec.
int clinux_process_descriptor(pid_t process);

// Makes a close-on-exec Unix domain stream socket, blocking or not.
int clinux_unix_socket(int is_blocking);

// Binds or connects such a socket to a path (bind(2), connect(2)). Fails with ENAMETOOLONG if the
// path has more than 107 bytes.
int clinux_unix_bind(int descriptor, const char *path);
int clinux_unix_connect(int descriptor, const char *path);

// Reads the path to which such a socket is bound (getsockname(2)). Fails with EINVAL if it has none
// or does not fit.
int clinux_unix_path(int descriptor, char *path, size_t room);

// Returns 1 if a descriptor is a stream socket that accepts connections.
int clinux_is_listening(int descriptor);

// Sends bytes without blocking, and without SIGPIPE (send(2)).
ssize_t clinux_send(int descriptor, const void *bytes, size_t count);

// Raises the soft limit of open files of this process to `wanted`, or to the hard limit. Returns the
// limit that it then has.
uint64_t clinux_raise_file_limit(uint64_t wanted);

#endif
