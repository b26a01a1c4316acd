#include "plots/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_BYTES = 64 << 20, MOST_MESSAGE = 2000 };

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A child and what comes from it. */
struct child {
    const char *program;
    FILE *script; /* its stdin, an unnamed file: it can never block us */
    FILE *errors; /* its stderr, likewise */
    int picture;  /* read end of its stdout */
    pid_t pid;
    int64_t deadline_ms;
};

static enum dls_status fail(struct dls_diag *diag, const struct child *child,
                            const char *what, int error)
{
    dls_diag_error(diag, NULL, "cannot run '%s': %s: %s", child->program, what,
                   strerror(error));
    return DLS_EIO;
}

static enum dls_status spawn(struct child *child, int out, struct dls_diag *diag)
{
    char *arguments[] = {(char *)(uintptr_t)child->program, (char *)(uintptr_t) "-d",
                         NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return fail(diag, child, "start", error);
    error = posix_spawn_file_actions_adddup2(&actions, fileno(child->script), 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, out, 1);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(child->errors), 2);
    if (error == 0)
        error = posix_spawnp(&child->pid, child->program, &actions, NULL, arguments,
                             environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT) {
        dls_diag_error(diag, NULL,
                       "'%s' is not installed; plots need it (Debian, Ubuntu: package "
                       "'gnuplot-nox'; Fedora: 'gnuplot-minimal')",
                       child->program);
        return DLS_EIO;
    }
    return error == 0 ? DLS_OK : fail(diag, child, "start", error);
}

/* Takes all output; false when the time is over or there is too much of it. */
static bool drain(struct child *child, struct dls_str *picture)
{
    char block[16384];

    for (;;) {
        struct pollfd ready = {.fd = child->picture, .events = POLLIN};
        int64_t left = child->deadline_ms - now_ms();
        ssize_t got;

        if (left <= 0 || picture->length > MOST_BYTES)
            return false;
        if (poll(&ready, 1, left > 1000 ? 1000 : (int)left) <= 0)
            continue;
        got = read(child->picture, block, sizeof block);
        if (got == 0)
            return true;
        if (got > 0)
            dls_str_add_n(picture, block, (size_t)got);
        else if (errno != EINTR)
            return false;
    }
}

/* Waits for the end; kills the child when `in_time` is false or its time runs out.
 * True: `status` is its own end. */
static bool reap(struct child *child, bool in_time, int *status)
{
    const struct timespec pause = {0, 2000000};

    while (in_time) {
        pid_t got = waitpid(child->pid, status, WNOHANG);

        if (got == child->pid)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        if (now_ms() >= child->deadline_ms)
            break;
        nanosleep(&pause, NULL);
    }
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

/* gnuplot's complaint on one line. */
static void read_errors(const struct child *child, struct dls_str *text)
{
    char block[MOST_MESSAGE];
    size_t got;

    rewind(child->errors);
    got = fread(block, 1, sizeof block, child->errors);
    for (size_t i = 0; i < got; i++) {
        bool is_space = block[i] == ' ' || block[i] == '\n' || block[i] == '\t';

        if (!is_space)
            dls_str_add_n(text, &block[i], 1);
        else if (text->length > 0 && text->data[text->length - 1] != ' ')
            dls_str_add_n(text, " ", 1);
    }
}

static enum dls_status judge(const struct child *child, bool ended, int status,
                             bool is_empty, int timeout_s, struct dls_diag *diag)
{
    struct dls_str complaint;

    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !is_empty)
        return DLS_OK;
    if (!ended) {
        dls_diag_error(diag, NULL, "'%s' did not finish within %d s and was stopped",
                       child->program, timeout_s);
        return DLS_EIO;
    }
    dls_str_init(&complaint);
    read_errors(child, &complaint);
    if (WIFSIGNALED(status))
        dls_diag_error(diag, NULL, "'%s' was ended by signal %d", child->program,
                       WTERMSIG(status));
    else
        dls_diag_error(diag, NULL, "'%s' failed: %s", child->program,
                       complaint.length > 0 ? complaint.data : "it wrote nothing");
    dls_str_release(&complaint);
    return DLS_EIO;
}

/* Starts the child and follows it to its end. */
static enum dls_status converse(struct child *child, int timeout_s,
                                struct dls_str *picture, struct dls_diag *diag)
{
    enum dls_status status;
    int ends[2], exit_status = 0;
    size_t before = picture->length;
    bool in_time, ended;

    if (pipe(ends) != 0)
        return fail(diag, child, "pipe", errno);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    child->picture = ends[0];
    status = spawn(child, ends[1], diag);
    close(ends[1]);
    if (status == DLS_OK) {
        child->deadline_ms = now_ms() + (int64_t)timeout_s * 1000;
        in_time = drain(child, picture);
        ended = reap(child, in_time, &exit_status);
        status = judge(child, ended, exit_status, picture->length == before, timeout_s,
                       diag);
    }
    close(ends[0]);
    return status;
}

enum dls_status dls_gnuplot_run(const char *program, const struct dls_str *script,
                                int timeout_s, struct dls_str *picture,
                                struct dls_diag *diag)
{
    struct child child = {.program = program, .script = tmpfile(), .errors = tmpfile()};
    enum dls_status status = DLS_EIO;

    if (child.script == NULL || child.errors == NULL) {
        fail(diag, &child, "temporary file", errno);
        goto out;
    }
    if (fwrite(script->data, 1, script->length, child.script) != script->length ||
        fflush(child.script) != 0) {
        fail(diag, &child, "temporary file", errno);
        goto out;
    }
    rewind(child.script);
    status = converse(&child, timeout_s, picture, diag);
out:
    if (child.script != NULL)
        fclose(child.script);
    if (child.errors != NULL)
        fclose(child.errors);
    return status;
}

/* Single quotes: in double quotes gnuplot would run what stands between backquotes. */
void dls_gnuplot_quote(struct dls_str *out, const char *text)
{
    dls_str_add(out, "'");
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            dls_str_add(out, "'");
        dls_str_add_n(out, (unsigned char)*text < ' ' ? " " : text, 1);
    }
    dls_str_add(out, "'");
}
