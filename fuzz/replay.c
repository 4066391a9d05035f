// SPDX-License-Identifier: BSD-3-Clause
//
// Runs a fuzz target over files and folders, for builds without libFuzzer.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { MAX_DEPTH = 8, MAX_SIZE = 4 << 20 };

// Run the target on one file. Returns the number of inputs run. Larger files are cut to MAX_SIZE.
static int replay_file(const char* path, size_t size) {
  if (size > MAX_SIZE) size = MAX_SIZE;
  // the exact size lets the address sanitizer see a read past the end
  uint8_t* data = malloc(size ? size : 1);
  FILE* file = fopen(path, "rb");
  int runs = 0;
  if (data && file && fread(data, 1, size, file) == size) {
    LLVMFuzzerTestOneInput(data, size);
    runs = 1;
  }
  if (file) fclose(file);
  free(data);
  return runs;
}

static int replay(const char* path, int depth);

// Run the target on every file below a folder. Returns the number of inputs run.
static int replay_folder(const char* path, int depth) {
  DIR* folder = opendir(path);
  if (!folder) return 0;
  int runs = 0;
  for (struct dirent* entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    char child[4096];
    int length = snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
    if (length > 0 && (size_t)length < sizeof child) runs += replay(child, depth + 1);
  }
  closedir(folder);
  return runs;
}

static int replay(const char* path, int depth) {
  struct stat info;
  if (depth > MAX_DEPTH || stat(path, &info)) return 0;
  if (S_ISDIR(info.st_mode)) return replay_folder(path, depth);
  return S_ISREG(info.st_mode) ? replay_file(path, (size_t)info.st_size) : 0;
}

int main(int argc, char** argv) {
  int runs = 0;
  for (int i = 1; i < argc; ++i) runs += replay(argv[i], 0);
  printf("%d inputs\n", runs);
  return 0;
}
