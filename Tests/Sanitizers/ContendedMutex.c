// What the thread sanitizer has to be told about `Synchronization.Mutex`.
//
// A lock that one thread wants is taken and given back by code that is compiled into the user of the mutex, where the sanitizer sees it. Where two want it, it is
// waited for and handed over inside of the standard library and the kernel, where it does not: what the lock guards is then reported as a race. `make sanitize` links
// these functions in front of the library's. Each does what that one does, and says so.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock)(uint32_t state, SELF void *mutex);
typedef SWIFT void (*unlock)(SELF void *mutex);

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lock_slowly(uint32_t state, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t state, SELF void *mutex) {
  ((lock)dlsym(RTLD_NEXT, LOCK))(state, mutex);
  __tsan_acquire(mutex);
}

SWIFT void unlock_slowly(SELF void *mutex) {
  __tsan_release(mutex);
  ((unlock)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
