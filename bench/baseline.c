/* The yardstick of `python -m bench`: Katachi's board and uniform playouts once more, in C.
 *
 * A translation of points.py, rng.py, board.py, score.py and playout.py in src/katachi/go, function
 * by function: the same record, the same liberty sets, the same order of operations, the same
 * random numbers. So the same seed gives the same wins, scores and moves, which the benchmark and
 * tests/go/test_c_twin.py check. Change it together with those files.
 *
 * What C does better than a literal translation is used, or the yardstick would be too short:
 * memcpy, memset, the processor's own instructions for counting and finding bits; and gcc is told
 * to inline and to unroll where it hesitates, which gains it 10 %.
 *
 *     gcc -O3 -pthread baseline.c -o baseline
 *     ./baseline SIZE SEED COUNT THREADS KOMI
 *
 * Each thread runs COUNT playouts from the empty board on boards and a generator of its own, seeded
 * with SEED + its number. Prints one line "wins total moves" per thread, then one line with the
 * seconds from the start of the first thread to the end of the last: by the clock on the wall, and
 * of processor time.
 */

#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))
#define FOUR(i) _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++)

/* points.py */

enum { MIN_SIZE = 2, MAX_SIZE = 19, STRIDE = 20, AREA = 421, FIRST = 21, PASS = 0, NONE = -1 };
enum { EMPTY, BLACK, WHITE, WALL };

/* rng.py */

INLINE uint64_t scramble(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    x ^= x >> 31;
    return x ? x : 1;
}

INLINE int below(uint64_t *rng, int n)
{
    uint64_t x = *rng;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *rng = x;
    return (int)((((x * UINT64_C(0x2545F4914F6CDD1D)) >> 32) * (uint64_t)n) >> 32);
}

/* board.py */

enum { WORDS = 6, MEMORY = 4 };

typedef struct {
    uint64_t liberty_set[AREA * WORDS];
    uint64_t hash;
    int32_t liberty_sum[AREA];
    int32_t side, to_move, ko, passes, moves, empties;
    int32_t captured[3];
    int32_t previous[MEMORY];
    uint16_t head[AREA];
    uint16_t link[AREA];
    int16_t stones[AREA];
    int16_t liberties[AREA];
    uint16_t empty[MAX_SIZE * MAX_SIZE];
    uint16_t place[AREA];
    uint8_t color[AREA];
} Board;

static const int NEIGHBOURS[4] = {-STRIDE, -1, 1, STRIDE};
static const int DIAGONALS[4] = {-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1};

/* Other numbers than Python's: the hash costs its time, but no result depends on it. */
static uint64_t ZOBRIST[3 * AREA];

static void clear(Board *b, int size)
{
    memset(b->color, WALL, sizeof b->color);
    int n = 0;
    for (int row = 1; row <= size; row++)
        for (int col = 1; col <= size; col++) {
            int p = row * STRIDE + col;
            b->color[p] = EMPTY;
            b->empty[n] = (uint16_t)p;
            b->place[p] = (uint16_t)n;
            n++;
        }
    b->empties = n;
    b->side = size;
    b->hash = 0;
    b->to_move = BLACK;
    b->ko = NONE;
    b->passes = 0;
    b->moves = 0;
    for (int c = 0; c < 3; c++)
        b->captured[c] = 0;
    for (int i = 0; i < MEMORY; i++)
        b->previous[i] = NONE;
}

#define COPY_RANGE(field, from, to_) \
    memcpy(to->field + (from), of->field + (from), ((to_) - (from)) * sizeof to->field[0])

INLINE void copy(Board *restrict to, const Board *restrict of)
{
    size_t end = (size_t)(of->side + 1) * STRIDE;
    COPY_RANGE(liberty_set, FIRST * WORDS, end * WORDS);
    COPY_RANGE(liberty_sum, FIRST, end);
    COPY_RANGE(head, FIRST, end);
    COPY_RANGE(link, FIRST, end);
    COPY_RANGE(stones, FIRST, end);
    COPY_RANGE(liberties, FIRST, end);
    COPY_RANGE(place, FIRST, end);
    COPY_RANGE(empty, 0, (size_t)of->empties);
    memcpy(to->color, of->color, sizeof to->color);
    to->hash = of->hash;
    to->side = of->side;
    to->to_move = of->to_move;
    to->ko = of->ko;
    to->passes = of->passes;
    to->moves = of->moves;
    to->empties = of->empties;
    memcpy(to->captured, of->captured, sizeof to->captured);
    memcpy(to->previous, of->previous, sizeof to->previous);
}

INLINE void add_liberty(Board *b, int head, int p)
{
    int bit = p - FIRST;
    uint64_t *word = &b->liberty_set[head * WORDS + (bit >> 6)];
    uint64_t mask = UINT64_C(1) << (bit & 63);
    int fresh = (*word & mask) == 0;
    *word |= mask;
    b->liberties[head] += (int16_t)fresh;
    b->liberty_sum[head] += fresh * p;
}

INLINE void drop_liberty(Board *b, int head, int p)
{
    int bit = p - FIRST;
    uint64_t *word = &b->liberty_set[head * WORDS + (bit >> 6)];
    uint64_t mask = UINT64_C(1) << (bit & 63);
    int old = (*word & mask) != 0;
    *word &= ~mask;
    b->liberties[head] -= (int16_t)old;
    b->liberty_sum[head] -= old * p;
}

INLINE int merge(Board *b, int one, int two)
{
    int big = two, small = one;
    if (b->stones[one] >= b->stones[two]) {
        big = one;
        small = two;
    }
    int s = small;
    do {
        b->head[s] = (uint16_t)big;
        s = b->link[s];
    } while (s != small);
    uint16_t after = b->link[big];
    b->link[big] = b->link[small];
    b->link[small] = after;
    b->stones[big] += b->stones[small];
    if (b->liberties[small] > 0) {
        const uint64_t *theirs = b->liberty_set + small * WORDS;
        uint64_t *whole = b->liberty_set + big * WORDS;
        for (int w = 0; w < WORDS; w++) {
            uint64_t new = theirs[w] & ~whole[w];
            if (new) {
                whole[w] |= new;
                b->liberties[big] += (int16_t)__builtin_popcountll(new);
                int base = FIRST + 64 * w;
                for (; new; new &= new - 1)
                    b->liberty_sum[big] += base + __builtin_ctzll(new);
            }
        }
    }
    return big;
}

INLINE void put(Board *b, int p, int c)
{
    uint16_t index = b->place[p];
    uint16_t last = b->empty[b->empties - 1];
    b->empty[index] = last;
    b->place[last] = index;
    b->empties--;
    b->color[p] = (uint8_t)c;
    b->hash ^= ZOBRIST[c * AREA + p];
}

INLINE void new_string(Board *b, int p)
{
    b->head[p] = (uint16_t)p;
    b->link[p] = (uint16_t)p;
    b->stones[p] = 1;
    memset(b->liberty_set + p * WORDS, 0, WORDS * sizeof b->liberty_set[0]);
    int count = 0, total = 0;
    FOUR (i) {
        int q = p + NEIGHBOURS[i];
        int free = b->color[q] == EMPTY;
        int bit = q - FIRST;
        b->liberty_set[p * WORDS + (bit >> 6)] |= (uint64_t)free << (bit & 63);
        count += free;
        total += free * q;
    }
    b->liberties[p] = (int16_t)count;
    b->liberty_sum[p] = total;
}

INLINE void join(Board *b, int p, int head)
{
    b->head[p] = (uint16_t)head;
    b->link[p] = b->link[head];
    b->link[head] = (uint16_t)p;
    b->stones[head]++;
    drop_liberty(b, head, p);
    FOUR (i) {
        int q = p + NEIGHBOURS[i];
        if (b->color[q] == EMPTY)
            add_liberty(b, head, q);
    }
}

INLINE int take(Board *b, int head, int c)
{
    int capturer = 3 - c;
    int s = head;
    do {
        b->color[s] = EMPTY;
        b->hash ^= ZOBRIST[c * AREA + s];
        b->place[s] = (uint16_t)b->empties;
        b->empty[b->empties] = (uint16_t)s;
        b->empties++;
        FOUR (i) {
            int q = s + NEIGHBOURS[i];
            if (b->color[q] == capturer)
                add_liberty(b, b->head[q], s);
        }
        s = b->link[s];
    } while (s != head);
    b->captured[c] += b->stones[head];
    return b->stones[head];
}

INLINE int place(Board *b, int p, int c)
{
    put(b, p, c);
    int head = p;
    FOUR (i) {
        int q = p + NEIGHBOURS[i];
        if (b->color[q] == c) {
            head = b->head[q];
            break;
        }
    }
    if (head == p)
        new_string(b, p);
    else
        join(b, p, head);
    int taken = 0;
    FOUR (i) {
        int q = p + NEIGHBOURS[i];
        int k = b->color[q];
        if (k == 3 - c) {
            int theirs = b->head[q];
            drop_liberty(b, theirs, p);
            if (b->liberties[theirs] == 0)
                taken += take(b, theirs, 3 - c);
        } else if (k == c) {
            int mine = b->head[q];
            if (mine != head) {
                drop_liberty(b, mine, p);
                head = merge(b, mine, head);
            }
        }
    }
    return taken;
}

INLINE int play(Board *b, int p, int c)
{
    int taken = 0;
    b->ko = NONE;
    if (p == PASS) {
        b->passes++;
    } else {
        b->passes = 0;
        taken = place(b, p, c);
        if (taken == 1 && b->stones[b->head[p]] == 1 && b->liberties[p] == 1)
            b->ko = b->liberty_sum[p];
    }
    b->to_move = 3 - c;
    b->moves++;
    for (int i = MEMORY - 1; i > 0; i--)
        b->previous[i] = b->previous[i - 1];
    b->previous[0] = p;
    return taken;
}

INLINE bool is_suicide(const Board *b, int p, int c)
{
    FOUR (i) {
        int q = p + NEIGHBOURS[i];
        int k = b->color[q];
        if (k == EMPTY)
            return false;
        if (k != WALL) {
            bool in_atari = b->liberties[b->head[q]] == 1;
            if (in_atari == (k != c))
                return false;
        }
    }
    return true;
}

INLINE bool is_legal(const Board *b, int p, int c)
{
    if (p == PASS)
        return true;
    if (b->color[p] != EMPTY || (p == b->ko && c == b->to_move))
        return false;
    return !is_suicide(b, p, c);
}

INLINE bool is_own_eye(const Board *b, int p, int c)
{
    int near = c;
    FOUR (i)
        near &= b->color[p + NEIGHBOURS[i]];
    if (near != c)
        return false;
    int against = 0;
    int at_edge = 0;
    FOUR (i) {
        int k = b->color[p + DIAGONALS[i]];
        if (k == 3 - c)
            against++;
        else if (k == WALL)
            at_edge = 1;
    }
    return against + at_edge < 2;
}

/* score.py */

static int area_score(const Board *b)
{
    int16_t queue[MAX_SIZE * MAX_SIZE];
    uint8_t seen[AREA] = {0};
    int score = 0;
    for (int row = 1; row <= b->side; row++)
        for (int col = 1; col <= b->side; col++) {
            int p = row * STRIDE + col;
            int c = b->color[p];
            if (c != EMPTY) {
                score += c == BLACK ? 1 : -1;
                continue;
            }
            if (seen[p])
                continue;
            seen[p] = 1;
            queue[0] = (int16_t)p;
            int end = 1;
            int reach = 0;
            for (int done = 0; done < end; done++)
                FOUR (i) {
                    int q = queue[done] + NEIGHBOURS[i];
                    int k = b->color[q];
                    if (k == EMPTY) {
                        if (!seen[q]) {
                            seen[q] = 1;
                            queue[end++] = (int16_t)q;
                        }
                    } else if (k != WALL) {
                        reach |= k;
                    }
                }
            if (reach == BLACK)
                score += end;
            else if (reach == WHITE)
                score -= end;
        }
    return score;
}

INLINE int settled_score(const Board *b)
{
    int score = 0;
    for (int row = 1; row <= b->side; row++)
        for (int col = 1; col <= b->side; col++) {
            int p = row * STRIDE + col;
            int reach = b->color[p];
            if (reach == EMPTY)
                FOUR (i) {
                    int k = b->color[p + NEIGHBOURS[i]];
                    if (k == BLACK || k == WHITE)
                        reach |= k;
                }
            if (reach == BLACK)
                score++;
            else if (reach == WHITE)
                score--;
        }
    return score;
}

/* playout.py */

enum { MOVES_PER_POINT = 3 };

INLINE int random_move(Board *b, int c, uint64_t *rng)
{
    int n = b->empties;
    while (n > 0) {
        int i = below(rng, n);
        uint16_t p = b->empty[i];
        if (is_legal(b, p, c) && !is_own_eye(b, p, c))
            return p;
        n--;
        uint16_t last = b->empty[n];
        b->empty[n] = p;
        b->empty[i] = last;
        b->place[p] = (uint16_t)n;
        b->place[last] = (uint16_t)i;
    }
    return PASS;
}

INLINE int playout(Board *b, uint64_t *rng)
{
    if (b->passes >= 2)
        return area_score(b);
    int left = MOVES_PER_POINT * b->side * b->side;
    while (b->passes < 2 && left > 0) {
        int c = b->to_move;
        play(b, random_move(b, c, rng), c);
        left--;
    }
    return b->passes >= 2 ? settled_score(b) : area_score(b);
}

typedef struct {
    int64_t wins, total, moves;
} Sums;

static Sums playouts(const Board *b, Board *work, uint64_t *rng, int64_t count, double komi)
{
    Sums sums = {0, 0, 0};
    for (int64_t i = 0; i < count; i++) {
        copy(work, b);
        int score = playout(work, rng);
        sums.total += score;
        sums.moves += work->moves - b->moves;
        if (score > komi)
            sums.wins++;
    }
    return sums;
}

/* The program. */

enum { MAX_THREADS = 64 };

typedef struct {
    int size;
    uint64_t seed;
    int64_t count;
    double komi;
    Sums sums;
} Job;

static void *run(void *argument)
{
    Job *job = argument;
    Board *boards = calloc(2, sizeof(Board));
    if (!boards)
        abort();
    /* The generator is on this thread's stack: no cache line is shared between threads. */
    uint64_t rng = scramble(job->seed);
    clear(&boards[0], job->size);
    job->sums = playouts(&boards[0], &boards[1], &rng, job->count, job->komi);
    free(boards);
    return NULL;
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int size = argc == 6 ? atoi(argv[1]) : 0;
    int threads = argc == 6 ? atoi(argv[4]) : 0;
    if (size < MIN_SIZE || size > MAX_SIZE || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: %s SIZE SEED COUNT THREADS KOMI\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < 3 * AREA; i++)
        ZOBRIST[i] = scramble(2007 + (uint64_t)i);

    Job jobs[MAX_THREADS];
    pthread_t handles[MAX_THREADS];
    for (int t = 0; t < threads; t++)
        jobs[t] = (Job){size, strtoull(argv[2], NULL, 10) + (uint64_t)t,
                        strtoll(argv[3], NULL, 10), strtod(argv[5], NULL), {0, 0, 0}};
    double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int t = 0; t < threads; t++)
        if (pthread_create(&handles[t], NULL, run, &jobs[t]) != 0)
            abort();
    for (int t = 0; t < threads; t++)
        pthread_join(handles[t], NULL);
    wall = now(CLOCK_MONOTONIC) - wall;
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;

    for (int t = 0; t < threads; t++)
        printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", jobs[t].sums.wins, jobs[t].sums.total,
               jobs[t].sums.moves);
    printf("%.9f %.9f\n", wall, cpu);
    return 0;
}
