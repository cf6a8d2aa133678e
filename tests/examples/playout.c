/* Random games that draw their moves by Katachi's playout gammas: the 3x3 shape of a move, and
   whether it is next to the previous one (two families of six). Build and run:

       katachi export --format c-header -o katachi_playout.h
       cc -O2 -o playout playout.c && ./playout 9 3     # three games on 9x9, a line for each

   `./playout 9 weights e5 c3` prints the weight of each legal move after these moves. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "katachi_playout.h"

enum { EMPTY, BLACK, WHITE, WALL, W = 21, AREA = W * W };
static int size, board[AREA], ko, last;          /* ko, last: a point, or -1 for none */
static const int around[8] = {-W - 1, -W, -W + 1, -1, 1, W - 1, W, W + 1};
static const int next[4] = {-W, -1, 1, W};
static uint64_t state = 88172645463325252u;

static double drawn(void) {                      /* 0 <= x < 1, by xorshift */
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 11) * 0x1p-53;
}
static int point(int row, int col) { return (row + 1) * W + col + 1; }

static int string_at(int p, int *stones, int *liberties) { /* how many stones */
    static int seen[AREA], stamp;
    int n = 0, done = 0;
    stamp++, *liberties = 0, stones[n++] = p, seen[p] = stamp;
    while (done < n)
        for (int d = 0, q, s = stones[done++]; d < 4; d++)
            if (seen[q = s + next[d]] != stamp && (board[q] == EMPTY || board[q] == board[p])) {
                seen[q] = stamp;
                if (board[q] == EMPTY) ++*liberties; else stones[n++] = q;
            }
    return n;
}
static int play(int p, int colour, int *taken) { /* 1 if legal; how many stones it took */
    int stones[AREA], liberties, n, before[AREA];
    if (board[p] != EMPTY || p == ko) return 0;
    memcpy(before, board, sizeof board);
    board[p] = colour, *taken = 0;
    int banned = 0;
    for (int d = 0; d < 4; d++)
        if (board[p + next[d]] == 3 - colour) {
            n = string_at(p + next[d], stones, &liberties);
            if (liberties) continue;
            for (int i = 0; i < n; i++) board[stones[i]] = EMPTY;
            *taken += n, banned = stones[0];
        }
    n = string_at(p, stones, &liberties);
    if (!liberties) { memcpy(board, before, sizeof board); return 0; }
    ko = *taken == 1 && n == 1 && liberties == 1 ? banned : -1;
    last = p;
    return 1;
}
static double weight(int p, int colour) {        /* 0 where it may not be played */
    int copy[AREA], was_ko = ko, was_last = last, taken, code = 0, near = 0;
    if (board[p] != EMPTY) return 0;
    for (int k = 0; k < 8; k++) {
        int s = board[p + around[k]];
        code |= (s == EMPTY || s == WALL ? s : s == colour ? 1 : 2) << 2 * k;
        near |= p + around[k] == last;
    }
    if (katachi_shape3[code] == 0) return 0;
    memcpy(copy, board, sizeof board);
    int legal = play(p, colour, &taken);
    memcpy(board, copy, sizeof board), ko = was_ko, last = was_last;
    return legal ? (double)katachi_shape3[code] * katachi_contiguity[near] : 0;
}
static void clear(void) {
    for (int p = 0; p < AREA; p++) board[p] = WALL;
    for (int i = 0; i < size * size; i++) board[point(i / size, i % size)] = EMPTY;
    ko = last = -1;
}
static void print(int p) { printf("%c%c ", 'a' + p % W - 1, 'a' + p / W - 1); }

int main(int argc, char **argv) {
    int taken, colour = BLACK;
    if (argc < 3 || (size = atoi(argv[1])) < 2 || size > 19) return 2;
    clear();
    if (!strcmp(argv[2], "weights")) {
        for (int i = 3; i < argc; i++, colour = 3 - colour)
            if (!play(point(argv[i][1] - 'a', argv[i][0] - 'a'), colour, &taken)) return 1;
        for (int i = 0; i < size * size; i++) {
            int p = point(i / size, i % size);
            if (weight(p, colour) > 0) { print(p); printf("%.9g\n", weight(p, colour)); }
        }
        return 0;
    }
    for (int game = atoi(argv[2]); game > 0; game--, printf("\n"), clear(), colour = BLACK)
        for (int passes = 0, left = 3 * size * size; passes < 2 && left; left--, colour = 3 - colour) {
            double sum = 0, weights[AREA] = {0};
            for (int p = 0; p < AREA; p++) sum += weights[p] = weight(p, colour);
            double x = drawn() * sum;
            int chosen = 0;
            for (int p = 0; p < AREA; p++)
                if (weights[p] > 0 && (chosen = p, (x -= weights[p]) < 0)) break;
            if (!chosen) { passes++, ko = last = -1, printf("tt "); continue; }
            passes = 0, play(chosen, colour, &taken), print(chosen);
        }
    return 0;
}
