// The C interface of Murmuration. Made from crates/capi/src by cbindgen; docs/c.md describes it.
//
// Every function but murmuration_version and murmuration_last_error returns a MurmurationStatus. No panic and no exception crosses it.

#ifndef MURMURATION_H
#define MURMURATION_H

#include <stddef.h>
#include <stdint.h>

// Quanta of a boid.
#define MURMURATION_BOID 65536

// The most species of a world.
#define MURMURATION_MAX_SPECIES 8

// The number of no individual.
#define MURMURATION_NO_INDIVIDUAL UINT32_MAX

// What a function returns: how it ended. `murmuration_last_error` has the message of every code but `MURMURATION_STATUS_OK`.
enum MurmurationStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It did what it says.
  MURMURATION_STATUS_OK = 0,
  // An argument, a preset, a chain, a kernel or a checkpoint is wrong. The swarm is as it was.
  MURMURATION_STATUS_BAD_INPUT = 1,
  // A file cannot be read or written.
  MURMURATION_STATUS_FILE = 2,
  // A graphics device failed, and no other engine could go on.
  MURMURATION_STATUS_DEVICE = 3,
  // An invariant does not hold: the library is at fault.
  MURMURATION_STATUS_BROKEN = 4,
  // A pointer that must not be NULL is NULL.
  MURMURATION_STATUS_NULL_ARGUMENT = 5,
  // The caller's buffer is too small. Nothing was written into it.
  MURMURATION_STATUS_BUFFER_TOO_SMALL = 6,
  // Another thread uses this object now.
  MURMURATION_STATUS_BUSY = 7,
  // The library panicked. The object that was in use refuses every further call but the one that frees it.
  MURMURATION_STATUS_PANIC = 8,
  // The value of a ticket has not come yet.
  MURMURATION_STATUS_NOT_READY = 9,
  // The caller stopped the call. Nothing was made.
  MURMURATION_STATUS_STOPPED = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationStatus MurmurationStatus;
#else
typedef int32_t MurmurationStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What happened to boids.
enum MurmurationEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Inputs added them.
  MURMURATION_EVENT_KIND_SPAWNED = 0,
  // Hunters caught them, or inputs removed them.
  MURMURATION_EVENT_KIND_CAUGHT = 1,
  // They were born. Of a species of cells: it ate others.
  MURMURATION_EVENT_KIND_BORN = 2,
  // They perished of hunger or sorrow.
  MURMURATION_EVENT_KIND_STARVED = 3,
  // Another species ate them.
  MURMURATION_EVENT_KIND_EATEN = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationEventKind MurmurationEventKind;
#else
typedef uint32_t MurmurationEventKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What an input does. The comment of each kind says which members of `MurmurationInput` it reads.
enum MurmurationInputKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The player's hunter is at `place`. It is noticed `radius` cells away, at most 255, and its rule has this `weight`, at most 32; 2 is usual.
  // `flag` 0: the swarm flees from it; 1: the swarm follows it.
  MURMURATION_INPUT_KIND_HUNTER = 0,
  // The player hunts no longer, and the preset's own hunter is back.
  MURMURATION_INPUT_KIND_NO_HUNTER = 1,
  // The player's hunter catches boids that are `amount` cells away or nearer, at most 64. 0: none.
  MURMURATION_INPUT_KIND_JAWS = 2,
  // A brush is put down: what the next undo goes back to.
  MURMURATION_INPUT_KIND_STROKE = 3,
  // `amount` boids are added, spread over the cells within `radius` cells of `place` that have room for them.
  MURMURATION_INPUT_KIND_SPAWN = 4,
  // All boids within `radius` cells of `place` are taken. They count as caught.
  MURMURATION_INPUT_KIND_REMOVE = 5,
  // The cells within `radius` cells of `place` become solid (`flag` 1) or free (`flag` 0).
  MURMURATION_INPUT_KIND_SOLID = 6,
  // `amount` of food is added to each cell of food within `radius` cells of `place` where any grows.
  MURMURATION_INPUT_KIND_FEED = 7,
  // The food within `radius` cells of `place` is removed.
  MURMURATION_INPUT_KIND_REMOVE_FOOD = 8,
  // The swarm, its ledger and the solids are again as they were at the last stroke.
  MURMURATION_INPUT_KIND_UNDO = 9,
  // The obstacle of the number `amount` is `obstacle` from now on; NULL takes it away. Obstacles lie beside the solids of brushes.
  MURMURATION_INPUT_KIND_OBSTACLE = 11,
  // The target of the number `amount` is `target` from now on; NULL takes it away. Targets lie beside the hunters of the preset.
  MURMURATION_INPUT_KIND_TARGET = 12,
  // The key of the preset that `key` names gets `value`, in the notation of TOML or as a bare word.
  MURMURATION_INPUT_KIND_SET = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationInputKind MurmurationInputKind;
#else
typedef uint32_t MurmurationInputKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The shape of an obstacle. The comment of each kind says which members of `MurmurationObstacle` it reads.
enum MurmurationObstacleKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A ball of this `radius` around `place`. With 2 axes in a deep world: a column.
  MURMURATION_OBSTACLE_KIND_BALL = 0,
  // A box around `place` with these `half_axes`, in any attitude. With 2 axes in a deep world: a column.
  MURMURATION_OBSTACLE_KIND_BOX = 1,
  // The ground under a height field: `values` are the heights, in cells from the bottom of the world, of `size[0]` cells along x, from the cell of
  // `place` on. In a flat world the cells with a height above 0.
  MURMURATION_OBSTACLE_KIND_HEIGHTS = 2,
  // A volume of signed distances: `values` below 0 are solid. It has `size[0]` cells along x and `size[1]` along y, from the cell of `place` on.
  MURMURATION_OBSTACLE_KIND_DISTANCES = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationObstacleKind MurmurationObstacleKind;
#else
typedef uint32_t MurmurationObstacleKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The shape of a query. The comment of each kind says which members of `MurmurationOverlap` it reads.
enum MurmurationOverlapKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A ball of this `radius` around `place`.
  MURMURATION_OVERLAP_KIND_BALL = 0,
  // A box around `place`, along the axes of the world, with these `half` extents.
  MURMURATION_OVERLAP_KIND_BOX = 1,
  // The cell of `place`. With 2 axes in a deep world: the column of cells.
  MURMURATION_OVERLAP_KIND_CELL = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationOverlapKind MurmurationOverlapKind;
#else
typedef uint32_t MurmurationOverlapKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What can be read of a swarm: the comment of each says what a buffer gets. Arrays of cells have x fastest, then y, then z, then the species.
enum MurmurationReading
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // `uint32_t` for each cell of the lattice: its quanta, of which `MURMURATION_BOID` are a boid. Of individuals: those that are in the cell.
  MURMURATION_READING_DENSITY = 0,
  // `float` for each cell of the lattice: its boids.
  MURMURATION_READING_BOIDS = 1,
  // `float` for each axis of each cell of the lattice: the control vector in cells a step, x first. Of individuals: the mean of their velocities.
  MURMURATION_READING_CONTROL = 2,
  // `MurmurationIndividual` for each individual, sorted by number.
  MURMURATION_READING_INDIVIDUALS = 3,
  // `uint32_t` for each cell of food, x fastest. A meal is 65 536. Empty where there is no food.
  MURMURATION_READING_FOOD = 4,
  // `MurmurationFalcon` for each falcon.
  MURMURATION_READING_FALCONS = 5,
  // One `MurmurationAccount`.
  MURMURATION_READING_ACCOUNT = 6,
  // `char`: the hash of the swarm in 64 hexadecimal digits, and a NUL.
  MURMURATION_READING_STATE_HASH = 7,
  // Bytes of a checkpoint, from which `murmuration_resume` goes on.
  MURMURATION_READING_CHECKPOINT = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationReading MurmurationReading;
#else
typedef uint32_t MurmurationReading;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A swarm between two steps, kept in memory. Only the swarm that made it goes back to it. It is never changed; it may be freed by any thread once no other one
// uses it, before or after its swarm.
typedef struct MurmurationSnapshot MurmurationSnapshot;

// A swarm under way. Threads may hand it to each other. One of them at a time uses it: another one that calls meanwhile gets
// `MURMURATION_STATUS_BUSY`.
typedef struct MurmurationSwarm MurmurationSwarm;

// A value that was asked for. It is of the step at which it was asked for, however late it is taken. Threads may hand a ticket to each other; one of
// them at a time uses it, and the others get `MURMURATION_STATUS_BUSY`.
typedef struct MurmurationTicket MurmurationTicket;

// Turnover of a species since its last event of this kind. Individuals have an event each.
typedef struct MurmurationEvent {
  // A `MurmurationEventKind`.
  uint32_t kind;
  // The species, from 0 on.
  uint32_t species;
  // The step up to which it was counted.
  uint64_t step;
  // How much, in quanta, of which `MURMURATION_BOID` are a boid.
  uint64_t quanta;
  // How many whole boids were completed by it. Events of parts of a boid have 0, until the parts make a boid.
  uint64_t boids;
  // The number of the individual, or `MURMURATION_NO_INDIVIDUAL`: the swarm is one of cells, or the event is of
  // several individuals.
  uint32_t individual;
  // How many numbers `place` has: 3, or 0 if the place is not known.
  uint32_t axes;
  // The place in cells: the last one of an individual; for cells that were caught, the place of the hunter.
  double place[3];
} MurmurationEvent;

// An obstacle in the world. Lengths are in cells. A cell is covered if its middle lies in the shape. Members that a kind does not read may hold
// anything; an obstacle of zeros is a good start.
typedef struct MurmurationObstacle {
  // Its shape: a `MurmurationObstacleKind`.
  uint32_t kind;
  // How many numbers `place` has: 2 or 3.
  uint32_t axes;
  // The middle of a ball or a box, or the first cell of a field, x first.
  double place[3];
  // The radius of a ball.
  double radius;
  // From the middle of a box to the middle of three of its faces, each x first. In a flat world the third one is zeros.
  double half_axes[3][3];
  // The cells of a field along x and y.
  uint32_t size[2];
  // The numbers of a field, x fastest. They are the caller's and are copied.
  const float *values;
  // How many numbers a field has.
  size_t count;
} MurmurationObstacle;

// A target in the world: it stands, or goes round waypoints. A target of zeros with one place is a good start.
typedef struct MurmurationTarget {
  // How many numbers of a place count: 2, a column through the whole depth of a world, or 3.
  uint32_t axes;
  // How far it is noticed, in cells, at most 255.
  uint32_t radius;
  // How far away boids are caught, in cells, at most 64. 0: none is caught.
  uint32_t jaws;
  // 0: the swarm flees from it; 1: the swarm follows it.
  uint32_t follow;
  // The species that it concerns, from 1 on; 0: all.
  uint32_t species;
  // 0.
  uint32_t reserved;
  // How far it goes in a step, in cells, at most 64.
  double speed;
  // Three numbers for each of its waypoints, in cells: it goes round them, and begins at the first. With one it stands. They are the caller's and are
  // copied.
  const double *places;
  // How many waypoints there are, at most 256.
  size_t count;
} MurmurationTarget;

// Something from outside that touches the swarm. It is plain data: peers of a game can send its members to each other. Members that a kind does not
// read may hold anything; an input of zeros is a good start.
typedef struct MurmurationInput {
  // What it does: a `MurmurationInputKind`.
  uint32_t kind;
  // How many numbers `place` has: 2, a column through the whole depth of a world, or 3.
  uint32_t axes;
  // A place in cells, x first. x points to the right, y down. A hunter's is taken to 1/16 cell, a brush's to a whole cell.
  double place[3];
  // The weight of a hunter's rule.
  double weight;
  // A radius in cells.
  uint32_t radius;
  // A number of boids, of cells or of food, or of an obstacle or a target, as the kind says.
  uint32_t amount;
  // 0 or 1, as the kind says.
  uint32_t flag;
  // 0.
  uint32_t reserved;
  // The dotted key of a setting. The text is the caller's and is copied.
  const char *key;
  // The value of a setting. The text is the caller's and is copied.
  const char *value;
  // A shape in the world. It is the caller's and is copied.
  const struct MurmurationObstacle *obstacle;
  // A place that the swarm follows or flees from. It is the caller's and is copied.
  const struct MurmurationTarget *target;
} MurmurationInput;

// What is played, and on which engine. `murmuration_options_default` fills it; then set what differs. All texts are UTF-8, are the caller's,
// and are copied by the call that they are given to.
typedef struct MurmurationOptions {
  // The size of this structure in bytes, by which the library knows the caller's version of it. `murmuration_options_default` sets it.
  size_t size;
  // The name of a built-in preset, such as `droplets`, or the path of a preset, which ends in `.toml`. It must not be NULL for `murmuration_open`.
  const char *preset;
  // The text of a preset in TOML, in place of the one that `preset` names, which is then only a name for messages. NULL: none.
  const char *text;
  // Extents in cells along x and y, in place of the preset's. 0 for both: the preset's.
  uint32_t width;
  // See `width`.
  uint32_t height;
  // The extent in cells along z of a deep world, beside a width and a height. 0: the preset's.
  uint32_t depth;
  // 1: `seed` is the seed of the start. 0: the preset's is.
  uint32_t has_seed;
  // The seed of the start.
  uint64_t seed;
  // Settings, each `key=value`, such as `weights.cohesion=0.6`. NULL: none.
  const char *const *settings;
  // How many settings there are.
  size_t settings_count;
  // A chain by its name or path in place of the preset's. NULL: the preset's.
  const char *chain;
  // 1: individuals play a preset of cells; every boid of its start becomes one. 0: the preset's own model.
  uint32_t as_individuals;
  // The number of threads of an engine on the CPU, at most 1024. 0: one for each core.
  uint32_t threads;
  // `auto`: a GPU if there is a hardware one, else the CPU. `cpu`. `gpu`: any adapter, a software one too. NULL: `auto`. All engines give the same
  // bits.
  const char *engine;
  // The instruction set of an engine on the CPU: `portable`, `avx2` or `avx512`. NULL: the widest that the processor has.
  const char *instruction_set;
  // Asked every 50 ms while `murmuration_open` works, on the thread that called it. Any number but 0 ends the call
  // with `MURMURATION_STATUS_STOPPED`. A start of 4096 x 4096 cells takes seconds, and a run-in takes longer. NULL:
  // nothing is asked.
  uint32_t (*stop)(void *context);
  // The argument of `stop`.
  void *stop_context;
} MurmurationOptions;

// A query. Lengths are in cells, taken to 1/16 cell; a shape reaches at most 1023 cells from its middle. With 2 axes in a deep world a shape goes
// through the whole depth.
typedef struct MurmurationOverlap {
  // Its shape: a `MurmurationOverlapKind`.
  uint32_t kind;
  // How many numbers `place` has: 2 or 3.
  uint32_t axes;
  // The middle, x first.
  double place[3];
  // The radius of a ball.
  double radius;
  // Half of the extents of a box, x first.
  double half[3];
} MurmurationOverlap;

// What is known of a swarm without a look at its boids.
typedef struct MurmurationFacts {
  // The steps made so far.
  uint64_t step;
  // The seed of the start.
  uint64_t seed;
  // Extents in cells along x, y and z; 1 along z in a flat world.
  uint32_t extents[3];
  // 2 in a flat world, 3 in a deep one.
  uint32_t axes;
  // Extents of the lattice of the density. Individuals of a deep world have a flat lattice: they are seen along z.
  uint32_t lattice[3];
  // How many species there are, at least 1.
  uint32_t species;
  // 1: a swarm of individuals. 0: a swarm of cells.
  uint32_t is_individuals;
  // 1: opposite edges of the world are joined. 0: it has walls.
  uint32_t is_torus;
  // 1: the world has no end; `extents` are of the window that follows the school.
  uint32_t is_endless;
  // 1: a GPU plays. 0: the CPU plays.
  uint32_t is_on_gpu;
} MurmurationFacts;

// The sum of a swarm at a step, against its ledger. Amounts are quanta, of which `MURMURATION_BOID` are a boid; food is in its own parts, of which
// 65 536 are a meal.
typedef struct MurmurationAccount {
  // The steps made.
  uint64_t step;
  // The sum of the swarm.
  uint64_t quanta;
  // What there was at the start.
  uint64_t start;
  // What inputs added since.
  uint64_t spawned;
  // What hunters caught and inputs removed.
  uint64_t caught;
  // What was born.
  uint64_t born;
  // What perished.
  uint64_t starved;
  // What other species ate.
  uint64_t eaten;
  // What is missing: start + spawned + born - caught - starved - eaten - quanta. It is 0. Of several species it is the sum of the errors of each.
  int64_t lost;
  // The food.
  uint64_t food;
  // The food that is missing. It is 0.
  int64_t lost_food;
  // The energy of all individuals that is missing. It is 0.
  int64_t lost_energy;
  // The quanta of each species; zeros in a world of one.
  uint64_t species[8];
} MurmurationAccount;

// A falcon: a hunter that flies by itself.
typedef struct MurmurationFalcon {
  // Its position in cells, x first; z is 0 in a flat world.
  float position[3];
  // Its velocity in cells a step.
  float velocity[3];
} MurmurationFalcon;

// An individual.
typedef struct MurmurationIndividual {
  // Its number, which it keeps for the whole run.
  uint32_t number;
  // Its species, from 0 on.
  uint32_t species;
  // Its position in cells, x first; z is 0 in a flat world. In an endless world it is counted from the place of 0.
  float position[3];
  // Its velocity in cells a step.
  float velocity[3];
} MurmurationIndividual;

// What a query finds.
typedef struct MurmurationOverlapResult {
  // The quanta in the shape, of which `MURMURATION_BOID` are a boid.
  uint64_t quanta;
  // 1: something is there, and the members below are of what is nearest to the middle. 0: the shape is empty, and they are 0.
  uint32_t is_found;
  // The number of the individual, or the index of the cell, x fastest.
  uint32_t number;
  // Its place in cells, x first; of a cell its middle.
  float place[3];
  // Its distance from the middle, in cells.
  float distance;
} MurmurationOverlapResult;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as `0.1.0`. The text lives as long as the program. Any thread may call it.
const char *murmuration_version(void);

// Takes the oldest events into an array of the caller, and waits for nothing. `capacity`: how many events the array can hold. `count` gets how many
// it got. Events are counted up to the present step by an engine on the CPU, and up to a step shortly before it by a GPU. Events that found no space
// come with the next call. What comes and goes in steps that are played again after a
// step back is told again, but once under rollback. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `events` is NULL or has space for `capacity` events. `count` is NULL or has space for a number.
MurmurationStatus murmuration_events(struct MurmurationSwarm *swarm,
                                     struct MurmurationEvent *events,
                                     size_t capacity,
                                     size_t *count);

// Applies an input before the next step. The caller keeps the input. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `input` is NULL or points to an input, whose texts are NULL or end with a NUL. Its obstacle is NULL or points to an
// obstacle, whose `values` are NULL or have `count` numbers. Its target is NULL or points to a target, whose `places` are NULL or have `3 * count` numbers.
MurmurationStatus murmuration_apply(struct MurmurationSwarm *swarm,
                                    const struct MurmurationInput *input);

// Fills options: no preset yet, everything else as the preset has it, on the engine `auto`. `size` is `sizeof(MurmurationOptions)`, by which a library
// that is newer than the caller's header fills no more than the caller has. Any thread may call it.
//
// What the caller promises:
// `options` is NULL or has `size` bytes.
MurmurationStatus murmuration_options_default(struct MurmurationOptions *options,
                                              size_t size);

// Asks what is in some balls and boxes at the present step, and waits for nothing. The ticket gets a `MurmurationOverlapResult` for each query, in
// their order. The caller keeps the queries, and owns the ticket. A swarm on a GPU is not read back. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `queries` is NULL or has `count` queries. `ticket` is NULL or has space for a pointer.
MurmurationStatus murmuration_overlap(struct MurmurationSwarm *swarm,
                                      const struct MurmurationOverlap *queries,
                                      size_t count,
                                      struct MurmurationTicket **ticket);

// Reads a value of the present step into a buffer of the caller, and waits for it. `reading`: a `MurmurationReading`, which says what the bytes are.
// `capacity`: the bytes of the buffer. `needed`, which may be NULL, gets the bytes of the value. A buffer that is NULL asks for them alone. A buffer
// that is too small gets nothing, and the status is `MURMURATION_STATUS_BUFFER_TOO_SMALL`; the next call takes the same value, unless the swarm
// was changed between them. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `buffer` is NULL or has `capacity` bytes. `needed` is NULL or has space for a number.
MurmurationStatus murmuration_read(struct MurmurationSwarm *swarm,
                                   uint32_t reading,
                                   void *buffer,
                                   size_t capacity,
                                   size_t *needed);

// Draws the present step, as the look of the preset says, into a buffer of the caller: 4 bytes a pixel (red, green, blue in sRGB, and 255), the top row first.
// `widest`: the greatest width of the picture in pixels; 0: its own width. `width` and `height` get its pixels. A buffer that is NULL asks for
// them alone. Buffer and `capacity` as of `murmuration_read`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `buffer` is NULL or has `capacity` bytes. `width` and `height` are NULL or have space for a number.
MurmurationStatus murmuration_picture(struct MurmurationSwarm *swarm,
                                      uint32_t widest,
                                      void *buffer,
                                      size_t capacity,
                                      uint32_t *width,
                                      uint32_t *height);

// Puts a swarm under rollback, for good: it takes inputs up to `farthest` steps late, and keeps a snapshot every `every` steps. From then on inputs
// come by `murmuration_rollback_insert`, and `murmuration_apply`, `murmuration_restore` and `murmuration_try_advance` are refused. One thread at a time
// uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_rollback_begin(struct MurmurationSwarm *swarm,
                                             uint64_t every,
                                             uint64_t farthest);

// Takes an input that acts before the step after `step`, early, in time or late. Inputs of one step act by player, then by number. Peers whose swarms
// got the same inputs, in whatever order, have the same swarm. An input that a swarm refuses changes nothing, on any peer. An undo is no input of a game. The
// caller keeps the input. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `input` as of `murmuration_apply`.
MurmurationStatus murmuration_rollback_insert(struct MurmurationSwarm *swarm,
                                              uint64_t step,
                                              uint32_t player,
                                              uint32_t number,
                                              const struct MurmurationInput *input);

// Plays up to a step, and first goes back for inputs that came late. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_rollback_advance_to(struct MurmurationSwarm *swarm, uint64_t step);

// Puts the earliest step whose inputs may still come into `earliest`, and the steps that were played again for late inputs into `replayed`. One thread at a
// time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `earliest` and `replayed` are NULL or have space for a number.
MurmurationStatus murmuration_rollback_facts(struct MurmurationSwarm *swarm,
                                             uint64_t *earliest,
                                             uint64_t *replayed);

// Makes a snapshot of the present step. The caller owns it and frees it by `murmuration_snapshot_free`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `snapshot` is NULL or has space for a pointer.
MurmurationStatus murmuration_snapshot(struct MurmurationSwarm *swarm,
                                       struct MurmurationSnapshot **snapshot);

// Goes back to a snapshot of this swarm. Steps from there on have the same bits as before. The snapshot stays the caller's, and can be gone back to
// again. A swarm under rollback refuses it. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `snapshot` is NULL or a snapshot that was not freed.
MurmurationStatus murmuration_restore(struct MurmurationSwarm *swarm,
                                      const struct MurmurationSnapshot *snapshot);

// Puts the step of a snapshot into `step`. Any thread may call it.
//
// What the caller promises:
// `snapshot` is NULL or a snapshot that was not freed. `step` is NULL or has space for a number.
MurmurationStatus murmuration_snapshot_step(const struct MurmurationSnapshot *snapshot, uint64_t *step);

// Frees a snapshot. NULL is allowed. No thread may use it now or afterwards.
//
// What the caller promises:
// `snapshot` is NULL or a snapshot that was not freed.
MurmurationStatus murmuration_snapshot_free(struct MurmurationSnapshot *snapshot);

// Saves a checkpoint of the present step in a file, whole or not at all. `murmuration_resume_file` and the program go on from it. One thread at a time uses
// a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `path` is NULL or a text that ends with a NUL.
MurmurationStatus murmuration_save(struct MurmurationSwarm *swarm,
                                   const char *path);

// The message of the last call of this thread that failed, in UTF-8; an empty text if none has failed. The text is the
// library's. It is valid until the next call of this thread into the library.
const char *murmuration_last_error(void);

// Opens a swarm at its step 0, after the run-in of its preset. The caller owns it and frees it by `murmuration_close`. Any thread may call it.
//
// What the caller promises:
// `options` is NULL or points to options whose texts are NULL or end with a NUL. `swarm` is NULL or has space for a pointer.
MurmurationStatus murmuration_open(const struct MurmurationOptions *options,
                                   struct MurmurationSwarm **swarm);

// Opens the swarm of a checkpoint: the bytes of `MURMURATION_READING_CHECKPOINT` or of a file that the program saved. All of them are checked. Of
// the options the engine, the threads and the instruction set count. NULL: the engine `auto`. The caller keeps the bytes, owns the swarm and frees it by
// `murmuration_close`. Any thread may call it.
//
// What the caller promises:
// `bytes` is NULL or has `count` bytes. `options` and `swarm` as of `murmuration_open`.
MurmurationStatus murmuration_resume(const void *bytes,
                                     size_t count,
                                     const struct MurmurationOptions *options,
                                     struct MurmurationSwarm **swarm);

// Opens the swarm of the checkpoint in a plain file. Otherwise as `murmuration_resume`.
//
// What the caller promises:
// `path` is NULL or a text that ends with a NUL. `options` and `swarm` as of `murmuration_open`.
MurmurationStatus murmuration_resume_file(const char *path,
                                          const struct MurmurationOptions *options,
                                          struct MurmurationSwarm **swarm);

// Frees a swarm. NULL is allowed. No thread may use the pointer afterwards. While another thread uses the swarm, it is not freed, and the status is
// `MURMURATION_STATUS_BUSY`. Snapshots and tickets of the swarm are freed by themselves, before or after it. In a
// forked process the memory of a swarm of the parent is kept.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_close(struct MurmurationSwarm *swarm);

// Plays this many steps, and waits for them. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_advance(struct MurmurationSwarm *swarm, uint64_t steps);

// Plays as many of these steps as the queue of a GPU takes, and waits for none of them; an engine on the CPU plays them all. `played`: how many were
// played; it may be NULL. A swarm under rollback refuses it. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `played` is NULL or has space for a number.
MurmurationStatus murmuration_try_advance(struct MurmurationSwarm *swarm,
                                          uint64_t steps,
                                          uint64_t *played);

// Puts the number of steps made so far into `step`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `step` is NULL or has space for a number.
MurmurationStatus murmuration_step(struct MurmurationSwarm *swarm, uint64_t *step);

// Puts what is known of a swarm into `facts`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `facts` is NULL or has space for the structure.
MurmurationStatus murmuration_facts(struct MurmurationSwarm *swarm, struct MurmurationFacts *facts);

// Puts the sums of the swarm, against its ledger, into `account`. It waits for the value. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `account` is NULL or has space for the structure.
MurmurationStatus murmuration_account(struct MurmurationSwarm *swarm,
                                      struct MurmurationAccount *account);

// Puts the hash of the swarm into `hash`: 64 hexadecimal digits and a NUL. Equal hashes are equal swarms, on any engine. It waits for the value. One
// thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `hash` is NULL or has 65 bytes.
MurmurationStatus murmuration_state_hash(struct MurmurationSwarm *swarm,
                                         char *hash);

// Puts the value of a key of the preset into `text`, in the notation of TOML and with a NUL at its end; an empty text where the preset leaves the
// key out. Buffer, `capacity` and `needed` as of `murmuration_read`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `key` is NULL or a text that ends with a NUL. `text` and `needed` as of `murmuration_read`.
MurmurationStatus murmuration_get(struct MurmurationSwarm *swarm,
                                  const char *key,
                                  char *text,
                                  size_t capacity,
                                  size_t *needed);

// Takes what the engine had to say, one line each with a NUL after the last: that a device was lost, and what plays now. An empty text: nothing. Lines
// stay until they are taken. Buffer, `capacity` and `needed` as of `murmuration_read`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `text` and `needed` as of `murmuration_read`.
MurmurationStatus murmuration_remarks(struct MurmurationSwarm *swarm,
                                      char *text,
                                      size_t capacity,
                                      size_t *needed);

// Asks for a value of the present step, and waits for nothing. `reading`: a `MurmurationReading`. The caller owns the ticket and frees it by
// `murmuration_ticket_free`. It may outlive the swarm, but a value of a GPU that has not come by then may never come. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `ticket` is NULL or has space for a pointer.
MurmurationStatus murmuration_request(struct MurmurationSwarm *swarm,
                                      uint32_t reading,
                                      struct MurmurationTicket **ticket);

// Puts 1 into `is_ready` if the value has come, and else 0. It waits for nothing. A failure of the device is told here, once.
//
// What the caller promises:
// `ticket` is NULL or a ticket that was not freed. `is_ready` is NULL or has space for a number.
MurmurationStatus murmuration_ticket_poll(struct MurmurationTicket *ticket,
                                          uint32_t *is_ready);

// Copies the value into a buffer of the caller, if it has come. Else the status is `MURMURATION_STATUS_NOT_READY`, and `needed` is not touched. The
// ticket keeps the value until it is freed. Buffer, `capacity` and `needed` as of `murmuration_read`.
//
// What the caller promises:
// `ticket` is NULL or a ticket that was not freed. `buffer` and `needed` as of `murmuration_read`.
MurmurationStatus murmuration_ticket_take(struct MurmurationTicket *ticket,
                                          void *buffer,
                                          size_t capacity,
                                          size_t *needed);

// Frees a ticket, with its value or without. NULL is allowed. While another thread uses the ticket, it is not freed, and the status is
// `MURMURATION_STATUS_BUSY`.
//
// What the caller promises:
// `ticket` is NULL or a ticket that was not freed.
MurmurationStatus murmuration_ticket_free(struct MurmurationTicket *ticket);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MURMURATION_H */
