// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE  // for readlink, realpath
#include "slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "report.h"
#include "rut/host.h"
#include "shard.h"

extern char** environ;

typedef struct Job {
  const cliSlurm* slurm;
  char rut[PATH_MAX], input[PATH_MAX], folder[PATH_MAX];  // absolute
  char base[PATH_MAX];                                    // of all files: folder/NAME
  int64_t tasks;
} Job;

int cli_cluster_check(const cliVerb* verb, const cliCluster* cluster, const char* shard) {
  if (cluster->slurm && (cluster->mpi || shard)) {
    return cli_usage_error(verb, "--slurm excludes --mpi and --shard");
  }
  for (int i = 0; i < cluster->lines.n; i++) {
    const char* words = cluster->lines.item[i];
    const char* start = words + strspn(words, "-");
    if (*start && !start[strcspn(start, "\r\n")]) continue;
    return cli_usage_error(verb, "--slurm-option is one line, such as partition=long, not '%s'",
                           words);
  }
  if (!cluster->slurm && (cluster->tasks > 0 || cluster->lines.n > 0)) {
    return cli_usage_error(verb, "--tasks and --slurm-option need --slurm");
  }
  return CLI_GO_ON;
}

static void put_word(FILE* out, const char* word) {
  putc('\'', out);
  for (; *word; word++) {
    if (*word == '\'') fputs("'\\''", out);
    if (*word != '\'') putc(*word, out);
  }
  putc('\'', out);
}

static void put_allowed(const Job* job, FILE* out) {
  const struct {
    const char* name;
    const cliList* list;
  } options[] = {{"plugin", job->slurm->plugin},
                 {"allow-dir", &job->slurm->allowed->dir},
                 {"allow-env", &job->slurm->allowed->env},
                 {"models", &job->slurm->allowed->models}};
  for (int i = 0; i < CLI_COUNT(options); i++) {
    for (int k = 0; options[i].list && k < options[i].list->n; k++) {
      fprintf(out, " --%s ", options[i].name);
      put_word(out, options[i].list->item[k]);
    }
  }
}

static void put_head(const Job* job, const char* what, FILE* out) {
  fputs("#!/bin/bash\n", out);
  const char* name = strrchr(job->base, '/');
  fprintf(out, "#SBATCH --job-name=%s%s\n", name ? name + 1 : job->base, what);
  for (int i = 0; i < job->slurm->cluster->lines.n; i++) {
    const char* words = job->slurm->cluster->lines.item[i];
    fprintf(out, "#SBATCH --%s\n", words + strspn(words, "-"));
  }
}

// A task that is preempted, or whose time is over, is told by SIGUSR1 a minute before, ends the
// runs that it has begun, and asks to be queued again; one whose node fails is queued again by
// Slurm. What is in its database is not run again.
static void put_array(const Job* job, FILE* out) {
  const int64_t workers = job->slurm->workers > 0 ? job->slurm->workers : 1;
  put_head(job, "", out);
  fprintf(out,
          "#SBATCH --array=1-%lld\n"
          "#SBATCH --cpus-per-task=%lld\n"
          "#SBATCH --requeue\n"
          "#SBATCH --open-mode=append\n"
          "#SBATCH --signal=B:USR1@60\n"
          "#SBATCH --output=%s.%%a.log\n"
          "cd ",
          (long long)job->tasks, (long long)workers, job->base);
  put_word(out, job->folder);
  fputs(" || exit\n", out);
  put_word(out, job->rut);
  fprintf(out, " %s ", job->slurm->verb);
  put_word(out, job->input);
  fprintf(out, " --resume --quiet --workers %lld --shard \"$SLURM_ARRAY_TASK_ID/%lld\" --%s ",
          (long long)workers, (long long)job->tasks, job->slurm->option);
  put_word(out, job->base);
  fprintf(out, ".\"$SLURM_ARRAY_TASK_ID\"-of-%lld.db", (long long)job->tasks);
  put_allowed(job, out);
  fputs(
      " &\n"
      "process=$!\n"
      "trap 'kill -USR1 $process' USR1 TERM\n"
      "wait $process; code=$?\n"
      "# a trapped signal ends the first wait\n"
      "while kill -0 $process 2>/dev/null; do wait $process; code=$?; done\n"
      "if [ $code = 130 ]; then\n"
      "  scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
      "  exit 0\n"
      "fi\n",
      out);
  if (job->slurm->failures_fine)
    fputs("# runs that diverged are results\n[ $code = 4 ] && code=0\n", out);
  fputs("exit $code\n", out);
}

static void put_merge(const Job* job, FILE* out) {
  put_head(job, ".merge", out);
  fprintf(out, "#SBATCH --output=%s.merge.log\ncd ", job->base);
  put_word(out, job->folder);
  fputs(" || exit\n", out);
  put_word(out, job->rut);
  fprintf(out, " %s merge ", job->slurm->verb);
  // not '*', which would also take NAME.other.1-of-4.db
  put_word(out, job->base);
  fprintf(out, ".{1..%lld}-of-%lld.db --output ", (long long)job->tasks, (long long)job->tasks);
  put_word(out, job->base);
  fputs(".db", out);
  if (job->slurm->last) {
    fputs(" || exit\n", out);
    put_word(out, job->rut);
    fprintf(out, " %s ", job->slurm->verb);
    put_word(out, job->input);
    fprintf(out, " --%s ", job->slurm->option);
    put_word(out, job->base);
    fputs(".db", out);
    put_allowed(job, out);
    for (int i = 0; i < job->slurm->last->n; i++) {
      putc(' ', out);
      put_word(out, job->slurm->last->item[i]);
    }
  }
  putc('\n', out);
}

static int write_script(const Job* job, const char* end, void (*put)(const Job*, FILE*)) {
  char path[PATH_MAX + 32];
  rutOutput* output;
  rutError err = {0};
  snprintf(path, sizeof path, "%s%s", job->base, end);
  rutStatus status = rut_output_create(path, &output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  FILE* out = fopen(rut_output_part(output), "w");
  bool failed = !out;
  if (out) put(job, out);
  if (out && fclose(out) != 0) failed = true;
  status = rut_output_close(output, !failed, &err);
  if (failed) {
    fprintf(stderr, "rut: error: '%s' cannot be written: %s\n", path, strerror(errno));
    return CLI_IO;
  }
  return status == RUT_OK ? CLI_DONE : cli_tell_failure(status, &err);
}

// Run sbatch, and take the number of the job that it tells. Returns the exit code.
static int submit(const char* script, const char* dependency, char id[64]) {
  int ends[2];
  if (pipe(ends) != 0) return CLI_IO;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  // a merge of shards of which one has failed would wait for ever
  const char* const alone[] = {"sbatch", "--parsable", script, NULL};
  const char* const then[] = {"sbatch",   "--parsable", "--kill-on-invalid-dep=yes",
                              dependency, script,       NULL};
  const char* const* argv = dependency[0] ? then : alone;
  pid_t process = -1;
  const int code = posix_spawnp(&process, "sbatch", &actions, NULL, (char* const*)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  size_t used = 0;
  for (ssize_t n = 0; code == 0 && used < 63 && (n = read(ends[0], id + used, 63 - used)) > 0;) {
    used += (size_t)n;
  }
  id[used] = '\0';
  id[strcspn(id, ";\n")] = '\0';
  close(ends[0]);
  int status = 1;
  if (code == 0) waitpid(process, &status, 0);
  const bool number = id[0] && !id[strspn(id, "0123456789")];
  if (code == 0 && status == 0 && number) return CLI_DONE;
  fprintf(stderr, "rut: error: sbatch %s; the script is '%s'\n",
          code == ENOENT ? "is not here" : "failed", script);
  return code == ENOENT ? CLI_MISSING : CLI_IO;
}

static int submit_both(const Job* job) {
  char array[PATH_MAX + 32], merge[PATH_MAX + 32], id[64], after[128], last[64];
  snprintf(array, sizeof array, "%s.slurm", job->base);
  snprintf(merge, sizeof merge, "%s.merge.slurm", job->base);
  int code = submit(array, "", id);
  if (code != CLI_DONE) return code;
  snprintf(after, sizeof after, "--dependency=afterok:%s", id);
  code = submit(merge, after, last);
  if (code != CLI_DONE) {
    fprintf(stderr, "rut: note: job %s is queued without it: sbatch %s FILE, or scancel %s\n", id,
            after, id);
    return code;
  }
  printf("job %s: %lld shards; job %s merges them into %s.db\n", id, (long long)job->tasks, last,
         job->base);
  return CLI_DONE;
}

// Absolute paths: jobs run elsewhere. Returns the exit code.
static int locate(Job* job) {
  const char* input = job->slurm->input;
  const ssize_t n = readlink("/proc/self/exe", job->rut, sizeof job->rut - 1);
  job->rut[n > 0 ? n : 0] = '\0';
  if (n <= 0 || !realpath(input, job->input) || !getcwd(job->folder, sizeof job->folder)) {
    fprintf(stderr, "rut: error: '%s' cannot be found: %s\n", input, strerror(errno));
    return CLI_IO;
  }
  const char* name = job->slurm->database ? job->slurm->database : cli_base_name(input);
  const bool absolute = name[0] == '/';
  if (snprintf(job->base, sizeof job->base, "%s%s%.*s", absolute ? "" : job->folder,
               absolute ? "" : "/", cli_stem(name), name) >= (int)sizeof job->base) {
    fprintf(stderr, "rut: error: the path is too long\n");
    return CLI_USAGE;
  }
  // Slurm reads its own lines without quotes, and % in names of files
  if (job->base[strcspn(job->base, " \t\n%\\'\"")] != '\0') {
    fprintf(stderr,
            "rut: error: Slurm takes no blanks, quotes or %% in '%s': give another --%s, with its "
            "folder\n",
            job->base, job->slurm->option);
    return CLI_USAGE;
  }
  return CLI_DONE;
}

int cli_slurm_submit(const cliSlurm* slurm) {
  Job* job = calloc(1, sizeof *job);
  if (!job) return CLI_IO;
  job->slurm = slurm;
  job->tasks = slurm->cluster->tasks > 0 ? slurm->cluster->tasks : 4;
  int code = locate(job);
  if (code == CLI_DONE) code = write_script(job, ".slurm", put_array);
  if (code == CLI_DONE) code = write_script(job, ".merge.slurm", put_merge);
  if (code == CLI_DONE && slurm->dry_run) {
    printf("wrote %s.slurm and %s.merge.slurm\n", job->base, job->base);
  } else if (code == CLI_DONE) {
    code = submit_both(job);
  }
  free(job);
  return code;
}
