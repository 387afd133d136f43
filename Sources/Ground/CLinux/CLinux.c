#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

// Opens one folder of the path after the other, so that none is reached through a link.
int clinux_open_stepwise(int directory, const char *path, int flags) {
  int folder = directory;
  while (1) {
    size_t length = strcspn(path, "/");
    char name[NAME_MAX + 1];
    int result = -1, is_last = path[length] == 0;
    if (length > NAME_MAX) {
      errno = ENAMETOOLONG;
    } else if (length == 0 || (length == 2 && path[0] == '.' && path[1] == '.')) {
      errno = EXDEV;
    } else {
      memcpy(name, path, length);
      name[length] = 0;
      int step = is_last ? flags : O_PATH | O_DIRECTORY;
      result = openat(folder, name, step | O_NOFOLLOW | O_CLOEXEC);
    }
    int failure = errno;
    if (folder != directory) close(folder);
    errno = failure;
    if (result < 0 || is_last) return result;
    folder = result;
    path += length + 1;
  }
}

int clinux_open_beneath(int directory, const char *path, int flags) {
  struct open_how how = {
    .flags = (uint64_t)(flags | O_NOFOLLOW | O_CLOEXEC),
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  int result = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
  // The kernel is older than 5.6, or a system call filter does not know openat2.
  if (result < 0 && (errno == ENOSYS || errno == EPERM)) return clinux_open_stepwise(directory, path, flags);
  return result;
}

int clinux_stat(int directory, const char *path, struct clinux_stamp *stamp) {
  struct statx found;
  int flags = AT_SYMLINK_NOFOLLOW | AT_STATX_SYNC_AS_STAT | (*path ? 0 : AT_EMPTY_PATH);
  if (statx(directory, path, flags, STATX_BASIC_STATS | STATX_BTIME, &found) < 0) return -1;
  stamp->size = found.stx_size;
  stamp->inode = found.stx_ino;
  stamp->device = ((uint64_t)found.stx_dev_major << 32) | found.stx_dev_minor;
  stamp->mode = found.stx_mode;
  stamp->modified_seconds = found.stx_mtime.tv_sec;
  stamp->modified_nanoseconds = found.stx_mtime.tv_nsec;
  stamp->changed_seconds = found.stx_ctime.tv_sec;
  stamp->changed_nanoseconds = found.stx_ctime.tv_nsec;
  struct statx_timestamp born = found.stx_btime;
  if (!(found.stx_mask & STATX_BTIME)) {
    int modified_first = found.stx_mtime.tv_sec < found.stx_ctime.tv_sec
      || (found.stx_mtime.tv_sec == found.stx_ctime.tv_sec && found.stx_mtime.tv_nsec < found.stx_ctime.tv_nsec);
    born = modified_first ? found.stx_mtime : found.stx_ctime;
  }
  stamp->created_seconds = born.tv_sec;
  stamp->created_nanoseconds = born.tv_nsec;
  return 0;
}

ssize_t clinux_read_small_file(int directory, const char *name, struct clinux_stamp *stamp, void *buffer, size_t room) {
  int file = openat(directory, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = -1;
  if (clinux_stat(file, "", stamp) == 0 && S_ISREG(stamp->mode) && stamp->size < room) {
    count = read(file, buffer, room);
    // An interrupted read, or a file that changes its size.
    if (count >= 0 && (uint64_t)count != stamp->size) count = -1;
  }
  close(file);
  return count;
}

void clinux_tune_allocator(void) {
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

void clinux_reserve_heap(size_t size) {
  // A heap of a thread grows page by page, each time by a system call. A large block makes it grow
  // at once, and once freed it stays with the heap.
  void *volatile block = malloc(size);
  free(block);
}

int clinux_stat_beneath(int directory, const char *path, struct clinux_stamp *stamp) {
  if (!strchr(path, '/')) return clinux_stat(directory, path, stamp);
  int found = clinux_open_beneath(directory, path, O_PATH);
  if (found < 0) return -1;
  int result = clinux_stat(found, "", stamp);
  int failure = errno;
  close(found);
  errno = failure;
  return result;
}

int clinux_move(int directory, const char *from, int other, const char *to, unsigned flags) {
  return renameat2(directory, from, other, to, flags);
}

int clinux_sync_file_system(int file) { return syncfs(file); }

int clinux_reports_sync_errors(int file) {
  struct utsname system;
  int major = 0, minor = 0;
  if (uname(&system) < 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2) return 0;
  if (major < 5 || (major == 5 && minor < 8)) return 0;
  struct statfs found;
  if (fstatfs(file, &found) < 0) return 0;
  switch ((unsigned long)found.f_type) {
    case EXT4_SUPER_MAGIC: // ext2 and ext3, too
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC: return 1;
    default: return 0;
  }
}

ssize_t clinux_list_attributes(int file, char *names, size_t size) {
  return flistxattr(file, names, size);
}

ssize_t clinux_get_attribute(int file, const char *name, void *value, size_t size) {
  return fgetxattr(file, name, value, size);
}

int clinux_set_attribute(int file, const char *name, const void *value, size_t size) {
  return fsetxattr(file, name, value, size, 0);
}

int clinux_remove_attribute(int file, const char *name) {
  return fremovexattr(file, name);
}

int clinux_acquire_lease(int file) {
  if (fcntl(file, F_SETSIG, SIGURG) < 0) return -1;
  return fcntl(file, F_SETLEASE, F_RDLCK);
}

int clinux_lease_holds(int file) {
  return fcntl(file, F_GETLEASE) == F_RDLCK;
}

int clinux_release_lease(int file) {
  return fcntl(file, F_SETLEASE, F_UNLCK);
}

int clinux_readable_bytes(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) < 0 ? -1 : count;
}

int clinux_eventfd(void) {
  return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

int64_t clinux_filesystem(const char *path) {
  struct statfs found;
  return statfs(path, &found) < 0 ? -1 : (int64_t)found.f_type;
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_close_from(posix_spawn_file_actions_t *actions, int first) { return posix_spawn_file_actions_addclosefrom_np(actions, first); }

int clinux_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

// A signal handler reads it, so each access is atomic. 0 means no group.
static _Atomic(pid_t) guarded_groups[16];

static void end_guarded_groups(int number) {
  for (size_t index = 0; index < sizeof guarded_groups / sizeof guarded_groups[0]; index++) {
    pid_t group = guarded_groups[index];
    if (group > 0) kill(-group, SIGTERM);
  }
  // The default action ends the program when this handler returns.
  signal(number, SIG_DFL);
  raise(number);
}

void clinux_end_groups_by_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) {
    struct sigaction action;
    if (sigaction(numbers[index], NULL, &action) != 0 || action.sa_flags & SA_SIGINFO || action.sa_handler != SIG_DFL) continue;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = end_guarded_groups;
    sigaction(numbers[index], &action, NULL);
  }
}

void clinux_guard_group(pid_t group) {
  for (size_t index = 0; index < sizeof guarded_groups / sizeof guarded_groups[0]; index++) {
    pid_t none = 0;
    if (atomic_compare_exchange_strong(&guarded_groups[index], &none, group)) return;
  }
}

void clinux_release_group(pid_t group) {
  for (size_t index = 0; index < sizeof guarded_groups / sizeof guarded_groups[0]; index++) {
    pid_t found = group;
    if (atomic_compare_exchange_strong(&guarded_groups[index], &found, 0)) return;
  }
}

int clinux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int clinux_has_children(pid_t group) {
  siginfo_t found;
  int result;
  do {
    result = waitid(P_PGID, (id_t)group, &found, WEXITED | WNOHANG | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  return result == 0;
}

pid_t clinux_next_ended_child(pid_t group) {
  siginfo_t found;
  int result;
  found.si_pid = 0;
  do {
    result = waitid(group > 0 ? P_PGID : P_ALL, (id_t)group, &found, WEXITED | WNOHANG | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? 0 : found.si_pid;
}

int clinux_await_end(pid_t child) {
  siginfo_t found;
  int result;
  do {
    result = waitid(P_PID, (id_t)child, &found, WEXITED | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  return result;
}

void clinux_trim_memory(void) { malloc_trim(0); }

int clinux_process_descriptor(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  errno = ENOSYS;
  return -1;
#endif
}

int clinux_unix_socket(int is_blocking) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (is_blocking ? 0 : SOCK_NONBLOCK), 0);
}

// Returns the length of the address; 0 with errno set if the path does not fit.
static socklen_t unix_address(const char *path, struct sockaddr_un *address) {
  size_t length = strlen(path);
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (length == 0 || length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  memcpy(address->sun_path, path, length + 1);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

int clinux_unix_bind(int descriptor, const char *path) {
  struct sockaddr_un address;
  socklen_t size = unix_address(path, &address);
  return size == 0 ? -1 : bind(descriptor, (struct sockaddr *)&address, size);
}

int clinux_unix_connect(int descriptor, const char *path) {
  struct sockaddr_un address;
  socklen_t size = unix_address(path, &address);
  return size == 0 ? -1 : connect(descriptor, (struct sockaddr *)&address, size);
}

int clinux_unix_path(int descriptor, char *path, size_t room) {
  struct sockaddr_un address;
  socklen_t size = sizeof address;
  memset(&address, 0, sizeof address);
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) < 0) return -1;
  size_t length = strnlen(address.sun_path, sizeof address.sun_path);
  if (address.sun_family != AF_UNIX || length == 0 || length >= room) {
    errno = EINVAL;
    return -1;
  }
  memcpy(path, address.sun_path, length);
  path[length] = 0;
  return 0;
}

int clinux_is_listening(int descriptor) {
  int type = 0, accepts = 0;
  socklen_t size = sizeof type;
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) < 0 || type != SOCK_STREAM) return 0;
  size = sizeof accepts;
  return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) == 0 && accepts;
}

ssize_t clinux_send(int descriptor, const void *bytes, size_t count) { return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT); }

uint64_t clinux_raise_file_limit(uint64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return wanted;
  if (limit.rlim_cur >= wanted) return limit.rlim_cur;
  rlim_t old = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : (rlim_t)wanted;
  return setrlimit(RLIMIT_NOFILE, &limit) < 0 ? old : limit.rlim_cur;
}
