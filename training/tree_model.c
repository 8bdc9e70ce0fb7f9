/* The weights of the tree model, learnt: called by tree_model.py.

   In: captions as rows of int32: words n; then for each word its two hashes, how many
   states, which of them is right, the right head (0: root), the open heads as bits
   0-30 and from 31, the states. Out: weights, by stochastic gradient with a rate for
   each weight (AdaGrad, Duchi et al. 2011).

   forward() adds up the trees of a caption with Eisner's algorithm: complete spans
   (a head with all dependents on one side), cells (the sides of two siblings that
   meet), items (a head with dependents up to one on a side, and the group of labels
   of the dependent before that one). Each sum leaves the shares of its terms on a
   tape; backward() reads it to get the probability of each configuration, which less
   1 where the configuration is right is the gradient. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 64 /* captions whose gradients are added together */
#define SMALL 1e-5f
#define IMPOSSIBLE -1e30f
#define NEVER(x) ((x) < -1e29f)
enum { LEFT, RIGHT };

static float *weights, *squares;
static const uint8_t *nominal, *verbal, *noun_label, *subject, *label_kind, *group_of;
static uint64_t mask;

static inline uint32_t row(const uint64_t *feature);
#include "tree_model.h" /* made by header.py: the features, and what names here stand for */

/* Where the weight of a feature is. */
static inline uint32_t row(const uint64_t *feature) {
  static const uint64_t factors[] = {FACTORS};
  uint64_t x = 0;
  for (int i = 0; i < 5; i++) x += feature[i] * factors[i];
  x ^= x >> 32; x *= LAST_FACTOR; x ^= x >> 32;
  return (uint32_t)(x & mask);
}

void start(float *w, float *s, int bits, const uint8_t *n, const uint8_t *v,
           const uint8_t *nl, const uint8_t *sj, const uint8_t *lk, const uint8_t *g) {
  weights = w; squares = s; mask = (1ull << bits) - 1;
  nominal = n; verbal = v; noun_label = nl; subject = sj; label_kind = lk; group_of = g;
}

#define GROUP(s) (group_of[LABEL(s)])

static inline int closes(int head, int side, int last) {
  if (side == LEFT) return !verbal[TAG(head)] || KIND(head) == subject[LABEL(last)];
  if (!nominal[TAG(head)]) return 1;
  int kind = KIND(last);
  if (nominal[TAG(last)] && noun_label[LABEL(last)] &&
      (kind == KIND_CLAUSE || kind == KIND_PHRASE_WITH_CLAUSE))
    return KIND(head) == KIND_PHRASE_WITH_CLAUSE;
  return KIND(head) == label_kind[LABEL(last)];
}

static inline float sum(const uint32_t *o, int n) {
  float x = 0;
  for (int i = 0; i < n; i++) x += weights[o[i]];
  return x;
}
static inline float arc_score(int h, int side, int d) {
  uint32_t o[ARC]; arc_features(h, side, d, o); return sum(o, ARC);
}
static inline float sibling_score(int h, int side, int p, int d) {
  uint32_t o[SIBLING]; sibling_features(h, side, p, d, o); return sum(o, SIBLING);
}
static inline float third_score(int h, int side, int q, int p, int d) {
  uint32_t o[THIRD]; third_features(h, side, q, p, d, o); return sum(o, THIRD);
}

typedef struct { uint32_t *rows; float *values; uint32_t count, room; } Gradient;

/* Arrays of sides are [side]; those of spans [head or left][end or right]. */
typedef struct {
  int n, word[N], ending[N], many[N], gold[N], head[N], state[N][K];
  uint64_t heads[N];
  int before[N], last[2][N], extent[2][N]; /* of the right tree */
  float own[N][K];
  float arc[N][N][K][K], arc_out[N][N][K][K];
  float complete[2][N][N][K], complete_out[2][N][N][K];
  uint32_t complete_at[2][N][N][K];
  float cell[N][N][K][K], cell_out[N][N][K][K];
  uint32_t cell_at[N][N][K][K];
  float item[N][N][K][K][NQ], item_out[N][N][K][K][NQ];
  uint32_t item_at[N][N][K][K][NQ];
  uint32_t groups[N][N]; /* [head][dependent]: groups before it, as bits */
  float *tape, total;
  uint32_t used, room, total_at;
  Gradient gradient;
} Chart;

#define OPEN(h, d) (c->heads[d] >> ((h) + 1) & 1)
#define GROUPS(q, h, d) for (int q = 0; q < NQ; q++) if (c->groups[h][d] >> q & 1)
#define STATES(a, w) for (int a = 0; a < c->many[w]; a++)
#define BETWEEN(k, h, d) for (int k = (h < d ? h : d) + 1; k < (h < d ? d : h); k++) if (OPEN(h, k))

static inline void put(Chart *c, float term) {
  if (c->used == c->room) c->tape = realloc(c->tape, sizeof(float) * (c->room *= 2));
  c->tape[c->used++] = term;
}

/* Return the logarithm of the sum of the terms from `at` on; make shares of them. */
static float closed(Chart *c, uint32_t at) {
  float *t = c->tape + at, most = IMPOSSIBLE, z = 0;
  int n = c->used - at;
  for (int i = 0; i < n; i++) if (t[i] > most) most = t[i];
  if (NEVER(most)) { for (int i = 0; i < n; i++) t[i] = 0; return IMPOSSIBLE; }
  if (n == 1) { t[0] = 1; return most; }
  for (int i = 0; i < n; i++) z += t[i] = expf(t[i] - most);
  for (int i = 0; i < n; i++) t[i] /= z;
  return most + logf(z);
}

static void fill_item(Chart *c, int h, int d) {
  int side = d > h, inner = side ? h + 1 : h - 1;
  STATES(a, h) STATES(b, d) GROUPS(q, h, d) {
    uint32_t at = c->item_at[h][d][a][b][q] = c->used;
    int sh = c->state[h][a], sd = c->state[d][b];
    if (q == 0)
      put(c, sibling_score(sh, side, START, sd) + c->complete[!side][d][inner][b]);
    else BETWEEN(k, h, d) STATES(e, k) if (GROUP(c->state[k][e]) == q) {
      int sk = c->state[k][e];
      float cell = side ? c->cell[k][d][e][b] : c->cell[d][k][b][e];
      float score = cell + sibling_score(sh, side, sk, sd);
      GROUPS(r, h, k) put(c, c->item[h][k][a][e][r] + score + third_score(sh, side, r, sk, sd));
    }
    float z = closed(c, at);
    c->item[h][d][a][b][q] = NEVER(z) ? z : z + c->arc[h][d][a][b];
  }
}

static void fill_complete(Chart *c, int h, int end) {
  int side = end > h, step = side ? 1 : -1;
  STATES(a, h) {
    uint32_t at = c->complete_at[side][h][end][a] = c->used;
    int sh = c->state[h][a];
    for (int d = h + step; d != end + step; d += step) if (OPEN(h, d))
      STATES(b, d) if (closes(sh, side, c->state[d][b])) {
        int sd = c->state[d][b];
        float score = c->complete[side][d][end][b] + arc_score(sh, side, STOP) +
                      sibling_score(sh, side, sd, STOP);
        GROUPS(q, h, d) put(c, c->item[h][d][a][b][q] + score + third_score(sh, side, q, sd, STOP));
      }
    c->complete[side][h][end][a] = closed(c, at);
  }
}

static void prepare(Chart *c) {
  int n = c->n;
  c->used = 0;
  for (int i = 0; i < n; i++) STATES(a, i) {
    uint32_t o[WORD];
    int s = c->state[i][a];
    word_features(c->word[i], c->ending[i], s, o);
    c->own[i][a] = sum(o, WORD);
    for (int side = 0; side < 2; side++)
      c->complete[side][i][i][a] =
          closes(s, side, START) ? arc_score(s, side, STOP) + sibling_score(s, side, START, STOP) : IMPOSSIBLE;
  }
  for (int h = 0; h < n; h++) for (int side = 0; side < 2; side++) {
    uint32_t found = 1;
    for (int d = side ? h + 1 : h - 1; d >= 0 && d < n; d += side ? 1 : -1) if (OPEN(h, d)) {
      c->groups[h][d] = found;
      STATES(b, d) found |= 1u << GROUP(c->state[d][b]);
      STATES(a, h) STATES(b, d)
        c->arc[h][d][a][b] = arc_score(c->state[h][a], side, c->state[d][b]) + c->own[d][b];
    }
  }
}

static void forward(Chart *c) {
  int n = c->n;
  prepare(c);
  for (int w = 1; w < n; w++) for (int i = 0; i + w < n; i++) {
    int j = i + w;
    STATES(a, i) STATES(b, j) {
      uint32_t at = c->cell_at[i][j][a][b] = c->used;
      for (int k = i; k < j; k++) put(c, c->complete[RIGHT][i][k][a] + c->complete[LEFT][j][k + 1][b]);
      c->cell[i][j][a][b] = closed(c, at);
    }
    if (OPEN(i, j)) fill_item(c, i, j);
    if (OPEN(j, i)) fill_item(c, j, i);
    fill_complete(c, i, j);
    fill_complete(c, j, i);
  }
  c->total_at = c->used;
  for (int r = 0; r < n; r++) if (OPEN(-1, r))
    STATES(a, r) put(c, c->complete[LEFT][r][0][a] + c->complete[RIGHT][r][n - 1][a] + c->own[r][a]);
  c->total = closed(c, c->total_at);
}

static inline void learn(Chart *c, const uint32_t *rows, int n, float g) {
  Gradient *to = &c->gradient;
  if (fabsf(g) <= SMALL) return;
  if (to->count + n > to->room) {
    to->room = 2 * (to->room + n);
    to->rows = realloc(to->rows, sizeof(uint32_t) * to->room);
    to->values = realloc(to->values, sizeof(float) * to->room);
  }
  for (int i = 0; i < n; i++) { to->rows[to->count] = rows[i]; to->values[to->count++] = g; }
}
static inline void learn_word(Chart *c, int w, int a, float g) {
  uint32_t o[WORD]; word_features(c->word[w], c->ending[w], c->state[w][a], o); learn(c, o, WORD, g);
}
static inline void learn_arc(Chart *c, int h, int side, int d, float g) {
  uint32_t o[ARC]; arc_features(h, side, d, o); learn(c, o, ARC, g);
}
static inline void learn_siblings(Chart *c, int h, int side, int p, int d, float g) {
  uint32_t o[SIBLING]; sibling_features(h, side, p, d, o); learn(c, o, SIBLING, g);
}
static inline void learn_third(Chart *c, int h, int side, int q, int p, int d, float g) {
  uint32_t o[THIRD]; third_features(h, side, q, p, d, o); learn(c, o, THIRD, g);
}

/* The group before a word in the right tree. */
static inline int right_group(Chart *c, int d) {
  int k = c->before[d];
  return k < 0 ? 0 : GROUP(c->state[k][c->gold[k]]);
}

static void unfill_complete(Chart *c, int h, int end) {
  int side = end > h, step = side ? 1 : -1;
  STATES(a, h) {
    float out = c->complete_out[side][h][end][a];
    int right = c->gold[h] == a && c->extent[side][h] == end;
    if (out < SMALL && !right) continue;
    uint32_t t = c->complete_at[side][h][end][a];
    int sh = c->state[h][a];
    for (int d = h + step; d != end + step; d += step) if (OPEN(h, d))
      STATES(b, d) if (closes(sh, side, c->state[d][b])) {
        int sd = c->state[d][b], gold = right && c->last[side][h] == d && c->gold[d] == b;
        float all = 0;
        GROUPS(q, h, d) {
          float p = out * c->tape[t++];
          all += p;
          c->item_out[h][d][a][b][q] += p;
          learn_third(c, sh, side, q, sd, STOP, p - (gold && right_group(c, d) == q));
        }
        c->complete_out[side][d][end][b] += all;
        learn_arc(c, sh, side, STOP, all - gold);
        learn_siblings(c, sh, side, sd, STOP, all - gold);
      }
  }
}

static void unfill_item(Chart *c, int h, int d) {
  int side = d > h, inner = side ? h + 1 : h - 1;
  STATES(a, h) STATES(b, d) {
    int right = c->head[d] == h + 1 && c->gold[d] == b && c->gold[h] == a;
    int sh = c->state[h][a], sd = c->state[d][b];
    float all = 0;
    GROUPS(q, h, d) all += c->item_out[h][d][a][b][q];
    if (all < SMALL && !right) continue;
    learn_arc(c, sh, side, sd, all - right);
    learn_word(c, d, b, all - right);
    GROUPS(q, h, d) {
      float out = c->item_out[h][d][a][b][q];
      uint32_t t = c->item_at[h][d][a][b][q];
      if (q == 0) {
        float p = out * c->tape[t];
        c->complete_out[!side][d][inner][b] += p;
        learn_siblings(c, sh, side, START, sd, p - (right && c->before[d] < 0));
      } else BETWEEN(k, h, d) STATES(e, k) if (GROUP(c->state[k][e]) == q) {
        int sk = c->state[k][e], gold = right && c->before[d] == k && c->gold[k] == e;
        float both = 0;
        GROUPS(r, h, k) {
          float p = out * c->tape[t++];
          both += p;
          c->item_out[h][k][a][e][r] += p;
          learn_third(c, sh, side, r, sk, sd, p - (gold && right_group(c, k) == r));
        }
        if (side) c->cell_out[k][d][e][b] += both; else c->cell_out[d][k][b][e] += both;
        learn_siblings(c, sh, side, sk, sd, both - gold);
      }
    }
  }
}

static void clear(Chart *c) {
  int n = c->n;
  c->gradient.count = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) STATES(a, i) {
    c->complete_out[LEFT][i][j][a] = c->complete_out[RIGHT][i][j][a] = 0;
    STATES(b, j) {
      c->cell_out[i][j][a][b] = 0;
      if (i != j && OPEN(i, j)) memset(c->item_out[i][j][a][b], 0, sizeof(float) * NQ);
    }
  }
}

static void backward(Chart *c) {
  int n = c->n;
  uint32_t t = c->total_at;
  clear(c);
  for (int r = 0; r < n; r++) if (OPEN(-1, r)) STATES(a, r) {
    float p = c->tape[t++];
    c->complete_out[LEFT][r][0][a] += p;
    c->complete_out[RIGHT][r][n - 1][a] += p;
    learn_word(c, r, a, p - (c->head[r] == 0 && c->gold[r] == a));
  }
  for (int w = n - 1; w >= 1; w--) for (int i = n - 1 - w; i >= 0; i--) {
    int j = i + w;
    unfill_complete(c, j, i);
    unfill_complete(c, i, j);
    if (OPEN(j, i)) unfill_item(c, j, i);
    if (OPEN(i, j)) unfill_item(c, i, j);
    STATES(a, i) STATES(b, j) {
      float out = c->cell_out[i][j][a][b];
      if (out < SMALL) continue;
      uint32_t at = c->cell_at[i][j][a][b];
      for (int k = i; k < j; k++) {
        float p = out * c->tape[at++];
        c->complete_out[RIGHT][i][k][a] += p;
        c->complete_out[LEFT][j][k + 1][b] += p;
      }
    }
  }
  for (int i = 0; i < n; i++) STATES(a, i) for (int side = 0; side < 2; side++) {
    int right = c->gold[i] == a && c->last[side][i] < 0, s = c->state[i][a];
    float g = c->complete_out[side][i][i][a] - right;
    learn_arc(c, s, side, STOP, g);
    learn_siblings(c, s, side, START, STOP, g);
  }
}

static void read_caption(Chart *c, const int32_t *x) {
  int n = c->n = *x++;
  for (int i = 0; i < n; i++) {
    c->word[i] = x[0]; c->ending[i] = x[1]; c->many[i] = x[2]; c->gold[i] = x[3]; c->head[i] = x[4];
    c->heads[i] = (uint64_t)(uint32_t)x[5] | (uint64_t)(uint32_t)x[6] << 31;
    x += 7;
    STATES(a, i) c->state[i][a] = *x++;
  }
  for (int h = 0; h < n; h++) for (int side = 0; side < 2; side++) {
    int before = -1;
    for (int d = side ? h + 1 : h - 1; d >= 0 && d < n; d += side ? 1 : -1)
      if (c->head[d] == h + 1) { c->before[d] = before; before = d; }
    c->last[side][h] = before;
  }
  for (int h = 0; h < n; h++) {
    if (c->head[h] == 0) c->before[h] = -1;
    for (int side = 0; side < 2; side++) {
      int end = h;
      while (c->last[side][end] >= 0) end = c->last[side][end];
      c->extent[side][h] = end;
    }
  }
}

static Chart *new_chart(void) {
  Chart *c = calloc(1, sizeof(Chart));
  c->room = 1 << 20;
  c->tape = malloc(sizeof(float) * c->room);
  return c;
}

/* One pass over `count` captions that begin at `begins`; the rate falls to `last`. */
void train(const int32_t *data, const int64_t *begins, int count, float first, float last, int threads) {
  static Gradient found[BLOCK];
  for (int from = 0; from < count; from += BLOCK) {
    int size = count - from < BLOCK ? count - from : BLOCK;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int k = 0; k < size; k++) {
      static _Thread_local Chart *c;
      if (!c) c = new_chart();
      Gradient mine = c->gradient;
      c->gradient = found[k];
      c->gradient.count = 0;
      read_caption(c, data + begins[from + k]);
      forward(c);
      if (!NEVER(c->total)) backward(c);
      found[k] = c->gradient;
      c->gradient = mine;
    }
    /* In order, so that the same captions always give the same weights. */
    float rate = first + (last - first) * from / count;
    for (int k = 0; k < size; k++) for (uint32_t i = 0; i < found[k].count; i++) {
      uint32_t row = found[k].rows[i];
      float g = found[k].values[i];
      squares[row] += g * g;
      weights[row] -= rate * g / sqrtf(squares[row]);
    }
  }
}
