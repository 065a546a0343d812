#include "parts/paranoid.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/hooks.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/text/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Blocks of a run that are computed twice, about, if it has enough units: each may be a range of
 * its own, and what is prepared for a range is prepared again. */
#define USUAL_SAMPLE 16
#define MOST_BLOCKS ((uint64_t)1 << 20)
#define MACHINE_BYTES 96

/* The head of a frame, which holds a text and the contribution of a piece of a range.  So the
 * leader of a crew learns what a member has found. */
typedef struct frame {
  uint64_t first, last, bytes;      /* units; bytes of the contribution */
  uint32_t is_checked, differences; /* was computed twice; and how often that differed */
  uint32_t damaged;                 /* copies from a GPU that were made again */
  uint32_t text;                    /* bytes of warnings, each with a NUL behind it */
  uint32_t crc;                     /* of the members above, the text and the contribution */
  uint32_t padding;                 /* 0 */
} frame;

typedef struct checking {
  const ms_paranoid *p;
  const ms_crew_job *job;
  const ms_crew *crew; /* NULL: the run is alone */
  uint64_t blocks;
  uint8_t *is_sampled;         /* [blocks]; NULL: not drawn yet */
  ms_bytes said;               /* warnings of the piece that is computed, as in a frame */
  uint64_t in_frames;          /* damaged copies of this process that frames tell */
  char machine[MACHINE_BYTES]; /* what a message calls it */
  uint32_t state_crc;          /* of the sum after the last addition */
  bool has_state;
} checking;

/* ---- the sample ---------------------------------------------------------------------------- */

/* The last unit of block b, plus one.  Blocks are as even as whole units can be. */
static uint64_t block_end(const checking *c, uint64_t b)
{
  uint64_t units = c->job->units;
  return units / c->blocks * (b + 1) + units % c->blocks * (b + 1) / c->blocks;
}

/* Returns the block of a unit. */
static uint64_t block_of(const checking *c, uint64_t unit)
{
  uint64_t low = 0, high = c->blocks - 1;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (unit < block_end(c, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void divide(checking *c)
{
  double usual = ceil(USUAL_SAMPLE / c->p->fraction);
  uint64_t most = c->job->units < MOST_BLOCKS ? c->job->units : MOST_BLOCKS;
  c->blocks = usual < (double)most ? (uint64_t)usual : most;
}

/* Draws fraction * blocks of the blocks, rounded up, each choice with the same probability
 * (selection sampling: Knuth, The Art of Computer Programming, 3.4.2, algorithm S). */
static ms_status draw_sample(checking *c, ms_error *err)
{
  uint64_t seed = c->crew ? c->crew->seed : ms_crew_new_seed();
  c->is_sampled = ms_calloc(c->blocks, 1);
  if (!c->is_sampled)
    return ms_fail_memory(err, "the sample of a run that checks itself");
  /* a product that should be whole may be a little more */
  uint64_t wanted = (uint64_t)ceil(c->p->fraction * (double)c->blocks * (1 - 1e-12));
  for (uint64_t b = 0; b < c->blocks; b++) {
    const uint32_t counter[4] = {(uint32_t)b, (uint32_t)(b >> 32), 0, 0x50415241};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t out[4];
    ms_philox4x32(counter, key, out);
    uint64_t random = (out[0] | (uint64_t)out[1] << 32) >> 20; /* 44 bits */
    c->is_sampled[b] = random * (c->blocks - b) >> 44 < wanted;
    wanted -= c->is_sampled[b];
  }
  return MS_OK;
}

/* Returns the end of the piece that begins at `first`: a block of the sample, or all units up to
 * the next such block, and not beyond `last`. */
static uint64_t piece_end(const checking *c, uint64_t first, uint64_t last, bool *is_sampled)
{
  uint64_t b = block_of(c, first);
  *is_sampled = c->is_sampled[b];
  if (!*is_sampled)
    while (b + 1 < c->blocks && block_end(c, b) < last && !c->is_sampled[b + 1])
      b++;
  uint64_t end = block_end(c, b);
  return end < last ? end : last;
}

/* ---- computing twice ----------------------------------------------------------------------- */

static void warn(const checking *c, const char *message)
{
  if (c->p->warn)
    c->p->warn(c->p->warn_user, message);
}

static ms_status compute(const checking *c, uint32_t opinion, const ms_share *share, ms_bytes *out,
                         ms_error *err)
{
  out->length = 0;
  ms_status status = opinion == 0 ? c->job->run(c->job->user, share, out, err)
                                  : c->p->again(c->p->user, opinion, share, out, err);
  if (status == MS_OK && out->failed)
    status = ms_fail_memory(err, "what a range of units adds to the result");
  if (status == MS_OK && opinion < 2)
    ms_inject(c->p->integrity, opinion ? MS_FAULT_SECOND : MS_FAULT_RESULT, out->data, out->length);
  return status;
}

static bool equal(const ms_bytes *a, const ms_bytes *b)
{
  return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
}

/* Says who was wrong, once `right` is known. */
static void explain(checking *c, const ms_share *share, const ms_bytes first[2],
                    const ms_bytes *right)
{
  char text[768];
  bool ok[2] = {equal(&first[0], right), equal(&first[1], right)};
  const char *who = ok[1] ? c->p->name(c->p->user, 0) : ok[0] ? c->p->name(c->p->user, 1) : "both";
  ms_format(text, sizeof text,
            "the units %" PRIu64 " to %" PRIu64 " were computed by %s and by %s, and the results "
            "differed; %s gave a wrong one. They were computed again, and the run goes on. Test "
            "the memory and the devices of %s",
            share->first, share->last - 1, c->p->name(c->p->user, 0), c->p->name(c->p->user, 1),
            who, c->machine);
  ms_bytes_put(&c->said, text, strlen(text) + 1);
}

static ms_status fail_undecided(const checking *c, const ms_share *share, ms_error *err)
{
  return ms_fail(err, MS_ERR_INTERNAL,
                 "the units %" PRIu64 " to %" PRIu64 " were computed twice by %s, twice by %s and "
                 "once by %s, and no two of these agree; nothing is written. Test the memory and "
                 "the devices of %s",
                 share->first, share->last - 1, c->p->name(c->p->user, 0),
                 c->p->name(c->p->user, 1), c->p->name(c->p->user, 2), c->machine);
}

/* Two computations differ, first[2]: finds the right one, and puts it into `out`. */
static ms_status decide(checking *c, const ms_share *share, const ms_bytes first[2], ms_bytes *out,
                        ms_error *err)
{
  ms_bytes again[MS_OPINIONS] = {{0}};
  const ms_bytes *right = NULL;
  ms_status status = compute(c, 0, share, &again[0], err);
  if (status == MS_OK)
    status = compute(c, 1, share, &again[1], err);
  if (status == MS_OK && equal(&again[0], &again[1]))
    right = &again[0];
  else if (status == MS_OK) {
    status = compute(c, 2, share, &again[2], err);
    if (status == MS_OK && (equal(&again[2], &again[0]) || equal(&again[2], &again[1])))
      right = &again[2];
    else if (status == MS_OK)
      status = fail_undecided(c, share, err);
  }
  if (right) {
    explain(c, share, first, right);
    out->length = 0;
    ms_bytes_put(out, right->data, right->length);
  }
  for (int i = 0; i < MS_OPINIONS; i++)
    ms_bytes_free(&again[i]);
  return status;
}

/* Computes the share a second time, and puts right what differs. */
static ms_status check(checking *c, const ms_share *share, ms_bytes *bytes, frame *head,
                       ms_error *err)
{
  ms_bytes both[2] = {{0}};
  head->is_checked = 1;
  ms_status status = compute(c, 1, share, &both[1], err);
  if (status == MS_OK && !equal(bytes, &both[1])) {
    head->differences = 1;
    both[0] = *bytes;
    *bytes = (ms_bytes){0};
    status = decide(c, share, both, bytes, err);
  }
  ms_bytes_free(&both[0]);
  ms_bytes_free(&both[1]);
  return status;
}

/* ---- frames -------------------------------------------------------------------------------- */

static uint32_t crc_of(const frame *head, const void *text, const void *bytes)
{
  uint32_t crc = ms_crc32c(0, head, offsetof(frame, crc));
  return ms_crc32c(ms_crc32c(crc, text, head->text), bytes, (size_t)head->bytes);
}

static uint64_t damaged_copies(const checking *c)
{
  return atomic_load(&c->p->integrity->damaged);
}

static void put_frame(const checking *c, frame *head, ms_bytes *bytes, ms_bytes *out)
{
  head->bytes = bytes->length;
  head->text = (uint32_t)c->said.length;
  head->crc = crc_of(head, c->said.data, bytes->data);
  ms_inject(c->p->integrity, MS_FAULT_SUM, bytes->data, bytes->length);
  ms_bytes_put(out, head, sizeof *head);
  ms_bytes_put(out, c->said.data, c->said.length);
  ms_bytes_put(out, bytes->data, bytes->length);
}

static ms_status run_piece(checking *c, const ms_share *share, bool is_sampled, ms_bytes *out,
                           ms_error *err)
{
  ms_bytes bytes = {0};
  frame head = {.first = share->first, .last = share->last};
  uint64_t before = damaged_copies(c);
  c->said.length = 0;
  ms_status status = compute(c, 0, share, &bytes, err);
  if (status == MS_OK && is_sampled && c->p->integrity->checks)
    status = check(c, share, &bytes, &head, err);
  if (status == MS_OK && c->said.failed)
    status = ms_fail_memory(err, "the warnings of a run that checks itself");
  if (status == MS_OK) {
    head.damaged = (uint32_t)(damaged_copies(c) - before);
    c->in_frames += head.damaged;
    put_frame(c, &head, &bytes, out);
  }
  ms_bytes_free(&bytes);
  return status;
}

/* A ms_crew_job.run. */
static ms_status run_pieces(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  checking *c = user;
  if (!c->is_sampled)
    MS_TRY(draw_sample(c, err));
  for (uint64_t at = share->first, end; at < share->last; at = end) {
    bool is_sampled;
    end = piece_end(c, at, share->last, &is_sampled);
    const ms_share piece = ms_share_of_range(at, end);
    MS_TRY(run_piece(c, &piece, is_sampled, out, err));
  }
  return MS_OK;
}

/* Reads the frame at *at, which should begin at unit `first`, and moves *at behind it.  False: it
 * is damaged. */
static bool read_frame(const checking *c, const ms_bytes *bytes, size_t *at, uint64_t first,
                       uint64_t last, frame *head, ms_bytes *text, ms_bytes *content)
{
  size_t left = bytes->length - *at;
  if (left < sizeof *head)
    return false;
  memcpy(head, bytes->data + *at, sizeof *head);
  left -= sizeof *head;
  if (head->first != first || head->last <= first || head->last > last || head->text > left ||
      head->bytes > left - head->text)
    return false;
  *text = (ms_bytes){.data = bytes->data + *at + sizeof *head, .length = head->text};
  *content = (ms_bytes){.data = text->data + text->length, .length = (size_t)head->bytes};
  *at += sizeof *head + text->length + content->length;
  return !c->p->integrity->checks || crc_of(head, text->data, content->data) == head->crc;
}

/* Passes on the warnings of a frame. */
static void pass_warnings(const checking *c, const ms_bytes *text)
{
  const char *at = (const char *)text->data, *end = at + text->length;
  for (; text->length > 0 && at < end && memchr(at, '\0', (size_t)(end - at)); at += strlen(at) + 1)
    warn(c, at);
}

/* ---- the sum ------------------------------------------------------------------------------- */

static void add_crc(void *user, void *data, size_t bytes)
{
  uint32_t *crc = user;
  *crc = ms_crc32c(*crc, data, bytes);
}

static uint32_t crc_of_state(const checking *c)
{
  uint32_t crc = 0;
  c->p->state(c->p->user, add_crc, &crc);
  return crc;
}

static void damage(void *user, void *data, size_t bytes)
{
  ms_inject(user, MS_FAULT_STATE, data, bytes);
}

static ms_status check_state(const checking *c, uint64_t done, ms_error *err)
{
  if (c->p->integrity->fault)
    c->p->state(c->p->user, damage, c->p->integrity);
  if (!c->has_state || !c->p->integrity->checks || crc_of_state(c) == c->state_crc)
    return MS_OK;
  return ms_fail(err, MS_ERR_INTERNAL,
                 "the memory that holds the sum of the units below %" PRIu64 " has changed by "
                 "itself; nothing is written. Run it again, with `resume` if there is a "
                 "checkpoint, and test the memory of %s",
                 done, c->machine);
}

/* Adds one contribution to the sum. */
static ms_status add_one(checking *c, const frame *head, const ms_bytes *content, bool *enough,
                         ms_error *err)
{
  ms_paranoid_report *r = c->p->report;
  MS_TRY(check_state(c, head->first, err));
  MS_TRY(c->job->add(c->job->user, head->first, head->last, content, enough, err));
  c->state_crc = c->p->integrity->checks ? crc_of_state(c) : 0;
  c->has_state = true;
  r->differences += head->differences;
  r->damaged += head->damaged;
  for (uint64_t b = block_of(c, head->first); b < c->blocks && block_end(c, b) <= head->last; b++) {
    r->blocks++;
    r->checked += head->is_checked;
  }
  return MS_OK;
}

/* Computes units whose contribution was damaged again, and adds them. */
static ms_status add_again(checking *c, uint64_t first, uint64_t last, bool *enough, ms_error *err)
{
  const ms_share share = ms_share_of_range(first, last);
  frame head = {.first = first, .last = last};
  ms_bytes content = {0};
  char text[256];
  c->p->report->damaged++;
  ms_format(text, sizeof text,
            "what the units %" PRIu64 " to %" PRIu64 " add was damaged on its way to the sum; they "
            "are computed again. Test the memory of %s",
            first, last - 1, c->crew ? "the machines that take part" : c->machine);
  warn(c, text);
  ms_status status = compute(c, 0, &share, &content, err);
  if (status == MS_OK)
    status = add_one(c, &head, &content, enough, err);
  ms_bytes_free(&content);
  return status;
}

/* A ms_crew_job.add. */
static ms_status add_pieces(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                            bool *enough, ms_error *err)
{
  checking *c = user;
  size_t place = 0;
  while (first < last && !*enough) {
    frame head;
    ms_bytes text, content;
    if (!read_frame(c, bytes, &place, first, last, &head, &text, &content))
      return add_again(c, first, last, enough, err);
    pass_warnings(c, &text);
    MS_TRY(add_one(c, &head, &content, enough, err));
    first = head.last;
  }
  return MS_OK;
}

/* ---- runs ---------------------------------------------------------------------------------- */

ms_integrity *ms_integrity_open(const ms_division *division, ms_integrity *integrity)
{
  if (!division || !(division->paranoid > 0))
    return NULL;
  integrity->checks = !ms_hooks.fault_unchecked;
  integrity->fault = ms_hooks.fault;
  atomic_init(&integrity->transfers, 0);
  atomic_init(&integrity->damaged, 0);
  return integrity;
}

/* Does one piece after the other. */
static ms_status run_alone(checking *c, ms_error *err)
{
  bool enough = false, is_sampled;
  ms_bytes bytes = {0};
  ms_status status = draw_sample(c, err);
  for (uint64_t at = c->job->done, end; at < c->job->units && !enough && status == MS_OK;
       at = end) {
    end = piece_end(c, at, c->job->units, &is_sampled);
    const ms_share piece = ms_share_of_range(at, end);
    bytes.length = 0;
    status = run_piece(c, &piece, is_sampled, &bytes, err);
    if (status == MS_OK && bytes.failed)
      status = ms_fail_memory(err, "what a range of units adds to the result");
    if (status == MS_OK)
      status = add_pieces(c, at, end, &bytes, &enough, err);
  }
  ms_bytes_free(&bytes);
  return status;
}

/* Takes what messages call this machine: in a crew, its name. */
static void name_machine(checking *c)
{
  char name[64] = "";
  if (c->crew)
    gethostname(name, sizeof name - 1);
  ms_format(c->machine, sizeof c->machine, name[0] ? "the machine %s" : "this machine%s", name);
}

ms_status ms_paranoid_run(const ms_paranoid *paranoid, ms_crew *crew, const ms_crew_job *job,
                          bool ranges, ms_error *err)
{
  checking c = {.p = paranoid, .job = job, .crew = crew};
  ms_crew_job checked = *job;
  ms_status status = MS_OK;
  if (!paranoid)
    return ms_crew_run(crew, job, err);
  if (job->units == 0)
    return MS_OK;
  checked.user = &c;
  checked.run = run_pieces;
  checked.add = add_pieces;
  name_machine(&c);
  divide(&c);
  if (crew || ranges)
    status = ms_crew_run(crew, &checked, err);
  else
    status = run_alone(&c, err);
  if (status == MS_OK)
    status = check_state(&c, job->units, err);
  paranoid->report->fraction = paranoid->fraction;
  paranoid->report->damaged += damaged_copies(&c) - c.in_frames;
  ms_free(c.is_sampled);
  ms_bytes_free(&c.said);
  return status;
}
