// floor DIR THREADS: lists a folder and the folders in it, then reads every file and runs libyaml's
// parser over it, with several threads. It keeps nothing of what it read: this is the least that a
// first list of the items costs with libyaml.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

enum { MAX_THREADS = 64, MAX_SIZE = 1 << 20, SHARE = 64 };

// The files in the order of the listing.
static char **files;
static size_t file_count, file_room;
// The next file that no thread has begun to read.
static atomic_size_t next_file;
static atomic_ulong event_count;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void add_file(const char *folder, const char *name) {
  if (file_count == file_room) {
    file_room = file_room ? file_room * 2 : 4096;
    files = realloc(files, file_room * sizeof *files);
  }
  if (!files || asprintf(&files[file_count++], "%s/%s", folder, name) < 0) fail("memory");
}

static void list_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) fail(path);
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    if (entry->d_type == DT_REG) add_file(path, entry->d_name);
    if (entry->d_type == DT_DIR) {
      char *below;
      if (asprintf(&below, "%s/%s", path, entry->d_name) < 0) fail("memory");
      list_folder(below);
      free(below);
    }
  }
  closedir(folder);
}

static unsigned long parse(const unsigned char *text, size_t size) {
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) fail("yaml_parser_initialize");
  yaml_parser_set_input_string(&parser, text, size);
  unsigned long count = 0;
  yaml_event_t event;
  for (int is_done = 0; !is_done && yaml_parser_parse(&parser, &event); count++) {
    is_done = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return count;
}

static void *read_files(void *unused) {
  (void)unused;
  unsigned char *text = malloc(MAX_SIZE);
  if (!text) fail("memory");
  unsigned long count = 0;
  for (size_t first; (first = atomic_fetch_add(&next_file, SHARE)) < file_count;) {
    for (size_t index = first; index < first + SHARE && index < file_count; index++) {
      int file = open(files[index], O_RDONLY | O_CLOEXEC);
      struct stat status;
      if (file < 0 || fstat(file, &status) < 0) fail(files[index]);
      ssize_t size = read(file, text, MAX_SIZE);
      close(file);
      if (size > 0) count += parse(text, (size_t)size);
    }
  }
  atomic_fetch_add(&event_count, count);
  free(text);
  return NULL;
}

int main(int argc, char **argv) {
  int threads = argc == 3 ? atoi(argv[2]) : 0;
  if (threads < 1 || threads > MAX_THREADS) {
    fprintf(stderr, "usage: floor DIR THREADS\n");
    return 64;
  }
  list_folder(argv[1]);
  pthread_t readers[MAX_THREADS];
  for (int index = 0; index < threads; index++) {
    if (pthread_create(&readers[index], NULL, read_files, NULL) != 0) fail("pthread_create");
  }
  for (int index = 0; index < threads; index++) pthread_join(readers[index], NULL);
  printf("%zu files, %lu events\n", file_count, (unsigned long)event_count);
  return 0;
}
