// The C interface of Murmuration. Made from crates/capi/src by cbindgen; docs/c.md describes it.
//
// Every function but murmuration_version and murmuration_last_error returns a MurmurationStatus.
// No panic and no exception crosses it.

#ifndef MURMURATION_H
#define MURMURATION_H

#include <stddef.h>
#include <stdint.h>

// The number of quanta that make a boid. Amounts of boids are whole numbers of quanta.
#define MURMURATION_BOID 65536

// The maximum number of species in a world.
#define MURMURATION_MAX_SPECIES 8

// The value of `individual` in an event that does not belong to a single individual.
#define MURMURATION_NO_INDIVIDUAL UINT32_MAX

// The outcome of a call. `murmuration_last_error` has the message of every code but `MURMURATION_STATUS_OK`.
enum MurmurationStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The call succeeded.
  MURMURATION_STATUS_OK = 0,
  // An argument, a preset, a chain, a kernel or a checkpoint is wrong. The swarm is unchanged.
  MURMURATION_STATUS_BAD_INPUT = 1,
  // A file cannot be read or written.
  MURMURATION_STATUS_FILE = 2,
  // A graphics device failed, and no other engine could continue.
  MURMURATION_STATUS_DEVICE = 3,
  // An invariant does not hold: the library is at fault.
  MURMURATION_STATUS_BROKEN = 4,
  // A pointer that must not be NULL is NULL.
  MURMURATION_STATUS_NULL_ARGUMENT = 5,
  // The caller's buffer is too small. Nothing was written into it.
  MURMURATION_STATUS_BUFFER_TOO_SMALL = 6,
  // Another thread uses this object now.
  MURMURATION_STATUS_BUSY = 7,
  // The library panicked. The object in use refuses every further call but the one that frees it.
  MURMURATION_STATUS_PANIC = 8,
  // The value of a ticket has not come yet.
  MURMURATION_STATUS_NOT_READY = 9,
  // The caller stopped the call. No object was made.
  MURMURATION_STATUS_STOPPED = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationStatus MurmurationStatus;
#else
typedef int32_t MurmurationStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The cause of a change in the number of boids.
enum MurmurationEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Inputs added boids.
  MURMURATION_EVENT_KIND_SPAWNED = 0,
  // Hunters caught boids, or inputs removed boids.
  MURMURATION_EVENT_KIND_CAUGHT = 1,
  // Individuals were born. For a species of cells: the species grew by eating another species.
  MURMURATION_EVENT_KIND_BORN = 2,
  // Individuals died of hunger or of a low mood.
  MURMURATION_EVENT_KIND_STARVED = 3,
  // Another species ate boids.
  MURMURATION_EVENT_KIND_EATEN = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MurmurationEventKind MurmurationEventKind;
#else
typedef uint32_t MurmurationEventKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of an input. The comment of each kind says which members of `MurmurationInput` it reads.
enum MurmurationInputKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The player's hunter is at `place`. Boids notice it up to `radius` cells away, at most 255. Its rule has this
  // `weight`, at most 32; 2 is usual. `flag` 0: the swarm flees from it; 1: the swarm follows it.
  MURMURATION_INPUT_KIND_HUNTER = 0,
  // Removes the player's hunter. The preset's own hunter is back.
  MURMURATION_INPUT_KIND_NO_HUNTER = 1,
  // The player's hunter catches boids up to `amount` cells away, at most 64. 0: it catches none.
  MURMURATION_INPUT_KIND_JAWS = 2,
  // Begins a stroke of a brush. The next undo goes back to this state.
  MURMURATION_INPUT_KIND_STROKE = 3,
  // `amount` boids are added, spread over the cells within `radius` cells of `place` that have room for them.
  MURMURATION_INPUT_KIND_SPAWN = 4,
  // All boids within `radius` cells of `place` are removed. They count as caught.
  MURMURATION_INPUT_KIND_REMOVE = 5,
  // The cells within `radius` cells of `place` become solid (`flag` 1) or free (`flag` 0).
  MURMURATION_INPUT_KIND_SOLID = 6,
  // Adds food to each cell of food within `radius` cells of `place` in which food grows. `amount`: parts of food for
  // each cell; 65 535 parts are a meal.
  MURMURATION_INPUT_KIND_FEED = 7,
  // The food within `radius` cells of `place` is removed.
  MURMURATION_INPUT_KIND_REMOVE_FOOD = 8,
  // The swarm, its ledger and the solids return to their state at the last stroke.
  MURMURATION_INPUT_KIND_UNDO = 9,
  // Obstacle number `amount` becomes `obstacle`; NULL removes it. Obstacles are independent of the solids of
  // brushes.
  MURMURATION_INPUT_KIND_OBSTACLE = 11,
  // Target number `amount` becomes `target`; NULL removes it. Targets are independent of the hunters of the preset.
  MURMURATION_INPUT_KIND_TARGET = 12,
  // Sets the key of the preset that `key` names to `value`, in the notation of TOML or as a bare word.
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
  // A ball with this `radius` around `place`. With 2 axes in a deep world: a column.
  MURMURATION_OBSTACLE_KIND_BALL = 0,
  // A box around `place` with these `half_axes`, in any orientation. With 2 axes in a deep world: a column.
  MURMURATION_OBSTACLE_KIND_BOX = 1,
  // The ground under a height field. `values` are the heights in cells from the bottom of the world. The field has
  // `size[0]` cells along x and begins at the cell of `place`. In a flat world: the cells with a height above 0.
  MURMURATION_OBSTACLE_KIND_HEIGHTS = 2,
  // A volume of signed distances: `values` below 0 are solid. The volume has `size[0]` cells along x and `size[1]`
  // along y, and begins at the cell of `place`.
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
  // A ball with this `radius` around `place`.
  MURMURATION_OVERLAP_KIND_BALL = 0,
  // A box around `place`, along the axes of the world. Its half extents are `half`.
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

// A value that can be read of a swarm. The comment of each reading says what a buffer gets.
// Arrays of cells have x fastest, then y, then z, then the species.
enum MurmurationReading
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // `uint32_t` for each cell of the lattice: its quanta. `MURMURATION_BOID` quanta are a boid. For individuals: the
  // quanta of the individuals in the cell.
  MURMURATION_READING_DENSITY = 0,
  // `float` for each cell of the lattice: the number of boids in it.
  MURMURATION_READING_BOIDS = 1,
  // `float` for each axis of each cell of the lattice: the control vector in cells a step, x first. For individuals:
  // the mean velocity of the individuals in the cell.
  MURMURATION_READING_CONTROL = 2,
  // `MurmurationIndividual` for each individual, sorted by number.
  MURMURATION_READING_INDIVIDUALS = 3,
  // `uint32_t` for each cell of food, x fastest: the food in the cell, in parts. 65 535 parts are a meal. Empty if
  // the preset has no food.
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

// A swarm between two steps, kept in memory. Only the swarm that made the snapshot can go back to it. A snapshot never
// changes.
// Any thread may free it once no other thread uses it, before or after its swarm is freed.
typedef struct MurmurationSnapshot MurmurationSnapshot;

// An open swarm. Threads may hand it to each other, but only one at a time may use it. A call of another thread
// meanwhile returns `MURMURATION_STATUS_BUSY`.
typedef struct MurmurationSwarm MurmurationSwarm;

// A requested value. It belongs to the step of the request, even if the caller takes it later. Threads may hand a
// ticket to each other, but only one at a time may use it. A call of another thread meanwhile returns
// `MURMURATION_STATUS_BUSY`.
typedef struct MurmurationTicket MurmurationTicket;

// A change in the number of boids of a species since its last event of this kind. In a swarm that began with at most
// 65 536 individuals, each individual has its own event.
typedef struct MurmurationEvent {
  // A `MurmurationEventKind`.
  uint32_t kind;
  // The species, from 0 on.
  uint32_t species;
  // The step up to which the change was counted.
  uint64_t step;
  // The change in quanta. `MURMURATION_BOID` quanta are a boid.
  uint64_t quanta;
  // The number of whole boids that this event completes. Events of parts of a boid have 0, until the parts make a
  // boid.
  uint64_t boids;
  // The number of the individual. `MURMURATION_NO_INDIVIDUAL`: the swarm is one of cells, or the event covers
  // several individuals.
  uint32_t individual;
  // The number of coordinates in `place`: 3, or 0 if the place is not known.
  uint32_t axes;
  // The place in cells, x first: the last place of the individual, or the place of the hunter that caught boids of
  // cells.
  double place[3];
} MurmurationEvent;

// An obstacle in the world. Lengths are in cells. A cell is covered if its middle lies in the shape. Members that a
// kind does not read may have any value. Start with an obstacle of zeros.
typedef struct MurmurationObstacle {
  // A `MurmurationObstacleKind`.
  uint32_t kind;
  // The number of coordinates in `place`: 2 or 3.
  uint32_t axes;
  // The middle of a ball or a box, or the first cell of a field, x first.
  double place[3];
  // The radius of a ball.
  double radius;
  // Three vectors from the middle of a box to the middles of three faces, x first. In a flat world the third vector
  // is 0.
  double half_axes[3][3];
  // The cells of a field along x and y.
  uint32_t size[2];
  // The numbers of a field, x fastest. The caller owns them; the library copies them.
  const float *values;
  // The number of `values` of a field.
  size_t count;
} MurmurationObstacle;

// A target in the world. It stands, or goes round waypoints. Start with a target of zeros and one place.
typedef struct MurmurationTarget {
  // The number of coordinates used of each place: 2 for a column through the whole depth of the world, or 3.
  uint32_t axes;
  // The distance in cells up to which boids notice the target, at most 255.
  uint32_t radius;
  // The distance in cells up to which the target catches boids, at most 64. 0: the target catches none.
  uint32_t jaws;
  // 0: the swarm flees from the target; 1: the swarm follows the target.
  uint32_t follow;
  // The species that follows the target or flees from it, from 1 on. 0: all species.
  uint32_t species;
  // Always 0.
  uint32_t reserved;
  // The speed of the target in cells a step, at most 64.
  double speed;
  // Its waypoints in cells, three numbers each. The target begins at the first one and goes round them. With one
  // waypoint it stands. The caller owns the numbers; the library copies them.
  const double *places;
  // The number of waypoints, at most 256.
  size_t count;
} MurmurationTarget;

// An input to the swarm from outside. It is plain data: peers of a game can send its members to each other. Members
// that a kind does not read may have any value. Start with an input of zeros.
typedef struct MurmurationInput {
  // A `MurmurationInputKind`.
  uint32_t kind;
  // The number of coordinates in `place`: 2 for a column through the whole depth of the world, or 3.
  uint32_t axes;
  // A place in cells, x first. x points to the right, y down. A hunter's place is rounded to 1/16 cell, a brush's to
  // a cell.
  double place[3];
  // The weight of a hunter's rule.
  double weight;
  // The radius in cells within which an input acts.
  uint32_t radius;
  // As the kind says: a number of boids, cells or parts of food, or the number of an obstacle or a target.
  uint32_t amount;
  // 0 or 1, as the kind says.
  uint32_t flag;
  // Always 0.
  uint32_t reserved;
  // The dotted key of a setting. The text is the caller's and is copied.
  const char *key;
  // The value of a setting. The text is the caller's and is copied.
  const char *value;
  // A shape in the world. The caller owns the shape; the library copies it.
  const struct MurmurationObstacle *obstacle;
  // A place that the swarm follows or flees from. The caller owns the target; the library copies it.
  const struct MurmurationTarget *target;
} MurmurationInput;

// The preset of a swarm, changes to it, and the engine. `murmuration_options_default` fills the options; then set the
// members that differ. All texts are UTF-8. The caller owns them, and the call that gets them copies them.
typedef struct MurmurationOptions {
  // The size of this structure in bytes. It tells the library the caller's version of the structure.
  // `murmuration_options_default` sets it.
  size_t size;
  // The name of a built-in preset, such as `droplets`, or the path of a preset, which ends in `.toml`.
  // `murmuration_open` needs it.
  const char *preset;
  // The text of a preset in TOML, in place of the preset that `preset` names. `preset` is then only a name for
  // messages. NULL: not used.
  const char *text;
  // Extents in cells along x and y, in place of the preset's. Both 0: the preset's.
  uint32_t width;
  // See `width`.
  uint32_t height;
  // The extent in cells along z of a deep world. It needs a width and a height. 0: the preset's.
  uint32_t depth;
  // 1: the start uses `seed`. 0: the start uses the seed of the preset.
  uint32_t has_seed;
  // The seed of the start.
  uint64_t seed;
  // Settings, each `key=value`, such as `weights.cohesion=0.6`. NULL: none.
  const char *const *settings;
  // The number of settings.
  size_t settings_count;
  // The name or the path of a chain, in place of the preset's. NULL: the preset's.
  const char *chain;
  // 1: individuals play a preset of cells, and every boid of its start becomes an individual. 0: the preset's own
  // model.
  uint32_t as_individuals;
  // The number of threads of an engine on the CPU, at most 1024. 0: one for each core.
  uint32_t threads;
  // `auto`: a GPU if there is a hardware one, else the CPU. `cpu`. `gpu`: any adapter, including a software one.
  // NULL: `auto`. All engines give the same bits.
  const char *engine;
  // The instruction set of an engine on the CPU: `portable`, `avx2` or `avx512`.
  // NULL: the widest that the processor has.
  const char *instruction_set;
  // Called every 50 ms while `murmuration_open` works, on the thread that called it. If it returns any number but 0,
  // `murmuration_open` ends with `MURMURATION_STATUS_STOPPED`. A start of 4096 x 4096 cells takes seconds, and a
  // run-in takes longer. NULL: `murmuration_open` cannot be stopped.
  uint32_t (*stop)(void *context);
  // The argument of `stop`.
  void *stop_context;
} MurmurationOptions;

// A query. Lengths are in cells, rounded to 1/16 cell. A shape reaches at most 1023 cells from its middle. With 2 axes
// in a deep world a shape goes through the whole depth.
typedef struct MurmurationOverlap {
  // A `MurmurationOverlapKind`.
  uint32_t kind;
  // The number of coordinates in `place`: 2 or 3.
  uint32_t axes;
  // The middle of the shape, x first.
  double place[3];
  // The radius of a ball.
  double radius;
  // Half of the extents of a box, x first.
  double half[3];
} MurmurationOverlap;

// Facts about a swarm that are known without reading its boids.
typedef struct MurmurationFacts {
  // The steps played since the start.
  uint64_t step;
  // The seed of the start.
  uint64_t seed;
  // Extents in cells along x, y and z. The extent along z is 1 in a flat world.
  uint32_t extents[3];
  // 2 in a flat world, 3 in a deep one.
  uint32_t axes;
  // Extents of the lattice of the density, in cells. Individuals in a deep world have a flat lattice: they are
  // summed along z.
  uint32_t lattice[3];
  // The number of species, at least 1.
  uint32_t species;
  // 1: a swarm of individuals. 0: a swarm of cells.
  uint32_t is_individuals;
  // 1: opposite edges of the world are joined. 0: it has walls.
  uint32_t is_torus;
  // 1: the world is endless, and `extents` are the extents of the window that follows the school. 0: the world is
  // bounded.
  uint32_t is_endless;
  // 1: a GPU plays. 0: the CPU plays.
  uint32_t is_on_gpu;
} MurmurationFacts;

// The number of quanta of a swarm at a step, and its ledger. `MURMURATION_BOID` quanta are a boid. Food and energy are
// in parts; 65 535 parts are a meal, which stills the greatest hunger.
typedef struct MurmurationAccount {
  // The steps made.
  uint64_t step;
  // The quanta of the swarm at this step.
  uint64_t quanta;
  // The quanta at the start.
  uint64_t start;
  // Quanta that inputs have added since the start.
  uint64_t spawned;
  // Quanta that hunters have caught or inputs have removed.
  uint64_t caught;
  // Quanta of individuals that were born. Meals of species of cells do not count here.
  uint64_t born;
  // Quanta of individuals that died of hunger or of a low mood.
  uint64_t starved;
  // Quanta of individuals that other species have eaten. Meals of species of cells do not count here.
  uint64_t eaten;
  // The quanta that are missing: start + spawned + born - caught - starved - eaten - quanta. It is 0 unless the
  // library is at fault. With several species it is the sum of the absolute values of the errors of all species.
  int64_t lost;
  // The food in the world at this step.
  uint64_t food;
  // The food that is missing by its ledger. It is 0 unless the library is at fault.
  int64_t lost_food;
  // The energy that is missing from all individuals together, by its ledger. It is 0 unless the library is at fault.
  int64_t lost_energy;
  // The quanta of each species. All are 0 in a world with one species.
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
  // Its number, which is constant for the whole run.
  uint32_t number;
  // Its species, from 0 on.
  uint32_t species;
  // Its position in cells, x first; z is 0 in a flat world. In an endless world it is relative to the origin of step
  // 0.
  float position[3];
  // Its velocity in cells a step.
  float velocity[3];
} MurmurationIndividual;

// The result of a query.
typedef struct MurmurationOverlapResult {
  // The quanta in the shape. `MURMURATION_BOID` quanta are a boid.
  uint64_t quanta;
  // 1: the shape is not empty, and the members below describe the individual or the cell that is nearest to the
  // middle. 0: the shape is empty, and the members below are 0.
  uint32_t is_found;
  // The number of the individual, or the index of the cell, x fastest.
  uint32_t number;
  // The place of the individual or the middle of the cell, in cells, x first.
  float place[3];
  // The distance of this place from the middle of the shape, in cells.
  float distance;
} MurmurationOverlapResult;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as `0.1.0`. The text lives as long as the program. Any thread may call this
// function.
const char *murmuration_version(void);

// Moves the oldest events into an array of the caller, without waiting for a device. `capacity`: the number of events
// that the array can hold. `count` gets the number of events written. The CPU counts events up to the present step, a
// GPU up to a step shortly before it. Events that do not fit are returned by the next call. Steps that are played
// again after `murmuration_restore` or an undo report their events again. Under rollback each event is reported once.
// One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `events` is NULL or has space for `capacity` events.
// `count` is NULL or has space for a number.
MurmurationStatus murmuration_events(struct MurmurationSwarm *swarm,
                                     struct MurmurationEvent *events,
                                     size_t capacity,
                                     size_t *count);

// Applies an input before the next step. The caller keeps the input. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `input` is NULL or points to an input, whose texts are NULL or end with a NUL. Its
// `obstacle` is NULL or points to an obstacle, whose `values` are NULL or have `count` numbers. Its `target` is NULL
// or points to a target, whose `places` are NULL or have `3 * count` numbers.
MurmurationStatus murmuration_apply(struct MurmurationSwarm *swarm, const struct MurmurationInput *input);

// Fills options: no preset, the engine `auto`, and everything else as in the preset. `size` is
// `sizeof(MurmurationOptions)`. A library that is newer than the caller's header fills only `size` bytes. Any thread
// may call this function.
//
// What the caller promises:
// `options` is NULL or has `size` bytes.
MurmurationStatus murmuration_options_default(struct MurmurationOptions *options, size_t size);

// Requests the contents of balls and boxes at the present step, without waiting for a device. The ticket gets a
// `MurmurationOverlapResult` for each query, in the order of the queries. The caller keeps the queries, and owns the
// ticket. A GPU answers without reading the swarm back. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `queries` is NULL or has `count` queries.
// `ticket` is NULL or has space for a pointer.
MurmurationStatus murmuration_overlap(struct MurmurationSwarm *swarm,
                                      const struct MurmurationOverlap *queries,
                                      size_t count,
                                      struct MurmurationTicket **ticket);

// Reads a value of the present step into a buffer of the caller, and waits for it. `reading`: a `MurmurationReading`,
// which says what the bytes are. `capacity`: the size of the buffer in bytes. `needed` gets the size of the value in
// bytes; it may be NULL. If `buffer` is NULL, only `needed` is written. If the buffer is too small, nothing is copied,
// and the status is `MURMURATION_STATUS_BUFFER_TOO_SMALL`. The next call then gets the same value, unless the swarm
// changed between the calls. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `buffer` is NULL or has `capacity` bytes.
// `needed` is NULL or has space for a number.
MurmurationStatus murmuration_read(struct MurmurationSwarm *swarm,
                                   uint32_t reading,
                                   void *buffer,
                                   size_t capacity,
                                   size_t *needed);

// Draws the present step with the look of the preset into a buffer of the caller. A pixel has 4 bytes: red, green,
// blue in sRGB, and 255. The top row is first. `widest`: the maximum width of the picture in pixels; 0: its own width.
// `width` and `height` get the size of the picture in pixels. If `buffer` is NULL, only `width` and `height` are
// written. `buffer` and `capacity` are as for `murmuration_read`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `buffer` is NULL or has `capacity` bytes.
// `width` and `height` are NULL or have space for a number.
MurmurationStatus murmuration_picture(struct MurmurationSwarm *swarm,
                                      uint32_t widest,
                                      void *buffer,
                                      size_t capacity,
                                      uint32_t *width,
                                      uint32_t *height);

// Puts a swarm under rollback, for good. The swarm takes inputs up to `farthest` steps late, and keeps a snapshot
// every `every` steps. From then on inputs come by `murmuration_rollback_insert`. The swarm refuses
// `murmuration_apply`, `murmuration_restore` and `murmuration_try_advance`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_rollback_begin(struct MurmurationSwarm *swarm, uint64_t every, uint64_t farthest);

// Takes an input that acts before the step after `step`. The input may come early, in time or late. Inputs of one step
// act in the order of `player`, and for one player in the order of `number`. Peers whose swarms got the same inputs,
// in any order, have the same swarm. An input that a swarm refuses changes nothing, on any peer. An undo cannot be
// inserted. The caller keeps the input. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `input` as for `murmuration_apply`.
MurmurationStatus murmuration_rollback_insert(struct MurmurationSwarm *swarm,
                                              uint64_t step,
                                              uint32_t player,
                                              uint32_t number,
                                              const struct MurmurationInput *input);

// Plays up to a step. If inputs came late, the swarm first goes back to the step of the earliest of them. One thread
// at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_rollback_advance_to(struct MurmurationSwarm *swarm, uint64_t step);

// Puts the earliest step that still accepts inputs into `earliest`. Puts the number of steps that were played again
// for late inputs into `replayed`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `earliest` and `replayed` are NULL or have space for a number.
MurmurationStatus murmuration_rollback_facts(struct MurmurationSwarm *swarm, uint64_t *earliest, uint64_t *replayed);

// Makes a snapshot of the present step. The caller owns the snapshot and frees it by `murmuration_snapshot_free`.
// One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `snapshot` is NULL or has space for a pointer.
MurmurationStatus murmuration_snapshot(struct MurmurationSwarm *swarm, struct MurmurationSnapshot **snapshot);

// Goes back to a snapshot of this swarm. Steps that are played again give the same bits as before. The snapshot stays
// the caller's and can be used again. A swarm under rollback refuses the call. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `snapshot` is NULL or a snapshot that was not freed.
MurmurationStatus murmuration_restore(struct MurmurationSwarm *swarm, const struct MurmurationSnapshot *snapshot);

// Puts the step of a snapshot into `step`. Any thread may call this function.
//
// What the caller promises:
// `snapshot` is NULL or a snapshot that was not freed. `step` is NULL or has space for a number.
MurmurationStatus murmuration_snapshot_step(const struct MurmurationSnapshot *snapshot, uint64_t *step);

// Frees a snapshot. NULL is allowed. No thread may use it now or afterwards.
//
// What the caller promises:
// `snapshot` is NULL or a snapshot that was not freed.
MurmurationStatus murmuration_snapshot_free(struct MurmurationSnapshot *snapshot);

// Saves a checkpoint of the present step in a file, whole or not at all. `murmuration_resume_file` and the program can
// resume from the file. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `path` is NULL or a text that ends with a NUL.
MurmurationStatus murmuration_save(struct MurmurationSwarm *swarm, const char *path);

// The message of the last failed call of this thread, in UTF-8. The text is empty if no call has failed. The library
// owns the text. It is valid until the next call of this thread into the library.
const char *murmuration_last_error(void);

// Opens a swarm at its step 0, after the run-in of its preset. The caller owns the swarm and frees it by
// `murmuration_close`. Any thread may call this function.
//
// What the caller promises:
// `options` is NULL or points to options whose texts are NULL or end with a NUL.
// `swarm` is NULL or has space for a pointer.
MurmurationStatus murmuration_open(const struct MurmurationOptions *options, struct MurmurationSwarm **swarm);

// Opens the swarm of a checkpoint. `bytes` come from `MURMURATION_READING_CHECKPOINT` or from a file that the program
// saved; all of them are checked. Only the engine, the threads and the instruction set of `options` are used.
// `options` NULL: the engine `auto`. The caller keeps the bytes, owns the swarm and frees it by `murmuration_close`.
// Any thread may call this function.
//
// What the caller promises:
// `bytes` is NULL or has `count` bytes. `options` and `swarm` as for `murmuration_open`.
MurmurationStatus murmuration_resume(const void *bytes,
                                     size_t count,
                                     const struct MurmurationOptions *options,
                                     struct MurmurationSwarm **swarm);

// Opens the swarm of the checkpoint in a plain file. Otherwise like `murmuration_resume`.
//
// What the caller promises:
// `path` is NULL or a text that ends with a NUL. `options` and `swarm` as for `murmuration_open`.
MurmurationStatus murmuration_resume_file(const char *path,
                                          const struct MurmurationOptions *options,
                                          struct MurmurationSwarm **swarm);

// Frees a swarm. NULL is allowed. No thread may use the pointer afterwards. While another thread uses the swarm, it is
// not freed, and the status is `MURMURATION_STATUS_BUSY`. Snapshots and tickets of the swarm are freed separately,
// before or after the swarm. In a forked process the memory of the parent's swarm is kept.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_close(struct MurmurationSwarm *swarm);

// Plays this many steps, and waits for them. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm.
MurmurationStatus murmuration_advance(struct MurmurationSwarm *swarm, uint64_t steps);

// Plays steps until all are played or the queue of a GPU is full, and waits for none of them. The CPU plays all steps.
// `played` gets the number of steps played; it may be NULL. A swarm under rollback refuses the call. One thread at a
// time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `played` is NULL or has space for a number.
MurmurationStatus murmuration_try_advance(struct MurmurationSwarm *swarm, uint64_t steps, uint64_t *played);

// Puts the number of steps played since the start into `step`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `step` is NULL or has space for a number.
MurmurationStatus murmuration_step(struct MurmurationSwarm *swarm, uint64_t *step);

// Puts the facts of a swarm into `facts`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `facts` is NULL or has space for the structure.
MurmurationStatus murmuration_facts(struct MurmurationSwarm *swarm, struct MurmurationFacts *facts);

// Puts the sums of the swarm and its ledger into `account`. The call waits for the value. One thread at a time uses a
// swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `account` is NULL or has space for the structure.
MurmurationStatus murmuration_account(struct MurmurationSwarm *swarm, struct MurmurationAccount *account);

// Puts the hash of the swarm into `hash`: 64 hexadecimal digits and a NUL. Swarms with the same hash are the same, on
// any engine. The call waits for the value. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `hash` is NULL or has 65 bytes.
MurmurationStatus murmuration_state_hash(struct MurmurationSwarm *swarm, char *hash);

// Puts the value of a key of the preset into `text`, in the notation of TOML and with a NUL at its end. The text is
// empty if the preset leaves the key out. `text`, `capacity` and `needed` are as `buffer`, `capacity` and `needed` of
// `murmuration_read`. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `key` is NULL or a text that ends with a NUL.
// `text` and `needed` as for `murmuration_read`.
MurmurationStatus murmuration_get(struct MurmurationSwarm *swarm,
                                  const char *key,
                                  char *text,
                                  size_t capacity,
                                  size_t *needed);

// Takes the messages of the engine, one a line, with a NUL after the last. A message says, for example, that a device
// was lost and which engine plays now. The text is empty if there are no messages. Messages stay until they are taken.
// `text`, `capacity` and `needed` are as `buffer`, `capacity` and `needed` of `murmuration_read`. One thread at a time
// uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `text` and `needed` as for `murmuration_read`.
MurmurationStatus murmuration_remarks(struct MurmurationSwarm *swarm, char *text, size_t capacity, size_t *needed);

// Requests a value of the present step, without waiting for a device. `reading`: a `MurmurationReading`. The caller
// owns the ticket and frees it by `murmuration_ticket_free`. The ticket may outlive the swarm, but a value of a GPU
// that has not come by then may never come. One thread at a time uses a swarm.
//
// What the caller promises:
// `swarm` is NULL or an open swarm. `ticket` is NULL or has space for a pointer.
MurmurationStatus murmuration_request(struct MurmurationSwarm *swarm,
                                      uint32_t reading,
                                      struct MurmurationTicket **ticket);

// Puts 1 into `is_ready` if the value has come, and else 0, without waiting for a device. A failure of the device is
// reported once.
//
// What the caller promises:
// `ticket` is NULL or a ticket that was not freed. `is_ready` is NULL or has space for a number.
MurmurationStatus murmuration_ticket_poll(struct MurmurationTicket *ticket, uint32_t *is_ready);

// Copies the value into a buffer of the caller, if it has come. Otherwise the status is
// `MURMURATION_STATUS_NOT_READY`, and `needed` is not written. The ticket keeps the value until it is freed. `buffer`,
// `capacity` and `needed` are as for `murmuration_read`.
//
// What the caller promises:
// `ticket` is NULL or a ticket that was not freed. `buffer` and `needed` as for `murmuration_read`.
MurmurationStatus murmuration_ticket_take(struct MurmurationTicket *ticket,
                                          void *buffer,
                                          size_t capacity,
                                          size_t *needed);

// Frees a ticket, with or without its value. NULL is allowed. While another thread uses the ticket, it is not freed,
// and the status is `MURMURATION_STATUS_BUSY`.
//
// What the caller promises:
// `ticket` is NULL or a ticket that was not freed.
MurmurationStatus murmuration_ticket_free(struct MurmurationTicket *ticket);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MURMURATION_H */
