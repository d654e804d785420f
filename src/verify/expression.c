/* expression.c: looking at expressions, and numbers that they are. */
#include <math.h>

#include "junct/csv.h"
#include "question.h"

/* ---- looking at expressions ---------------------------------------------------------------- */

static bool is_reading(jn_expr_op op)
{
    return (op >= JN_X_EFFORT && op <= JN_X_DISPLACEMENT) || op == JN_X_INT;
}

/* Leaving out what stands below an operation. */
static jn_look reads(const jn_expr *e, void *hidden)
{
    return e->op == *(const jn_expr_op *)hidden ? JN_LOOK_NOT_BELOW
           : is_reading(e->op)                  ? JN_LOOK_FOUND
                                                : JN_LOOK_ON;
}

static bool reads_but(const question *q, const jn_expr *e, jn_expr_op hidden)
{
    return jn_expr_find(q->g, e, reads, &hidden);
}

bool jni_expr_reads_model(const question *q, const jn_expr *e)
{
    return reads_but(q, e, JN_X_PI);
}

bool jni_expr_reads_only_past(const question *q, const jn_expr *e)
{
    return jn_expr_mentions(q->g, e, JN_X_PRIOR) && !reads_but(q, e, JN_X_PRIOR);
}

bool jni_expr_is_logic(const question *q, const jn_expr *e)
{
    if (e->op == JN_X_ON || e->op == JN_X_IN)
        return true;
    if (e->op != JN_X_AND && e->op != JN_X_OR && e->op != JN_X_NOT)
        return false;
    for (int i = 0; i < e->nargs; i++)
        if (!jni_expr_is_logic(q, e->arg[i]))
            return false;
    return true;
}

/* Whether nothing but time decides it. */
bool jni_expr_is_of_time(const question *q, const jn_expr *e)
{
    return !jni_expr_reads_model(q, e) && !jn_expr_mentions(q->g, e, JN_X_DISCRETE) &&
           !jn_expr_mentions(q->g, e, JN_X_ON) && !jn_expr_mentions(q->g, e, JN_X_IN);
}

const jn_expr *jni_only_part(question *q, const jn_expr *e)
{
    if (e->op == JN_X_SIGNAL)
        return jni_only_part(q, q->g->signal[e->index].expr);
    if (e->op == JN_X_NEG)
        return jni_only_part(q, e->arg[0]);
    if (e->op != JN_X_ADD && e->op != JN_X_SUB && e->op != JN_X_MUL && e->op != JN_X_DIV)
        return e;
    bool left = jni_expr_constant(q, e->arg[0]).id >= 0;
    bool right = jni_expr_constant(q, e->arg[1]).id >= 0;
    if (left == right || (left && e->op == JN_X_DIV))
        return NULL;
    return jni_only_part(q, e->arg[left]);
}

bool jni_is_wave(question *q, const jn_expr *e)
{
    const jn_expr *t = e->op == JN_X_SIN || e->op == JN_X_COS ? jni_only_part(q, e->arg[0]) : NULL;
    return t && t->op == JN_X_TIME;
}

/* ---- constants ----------------------------------------------------------------------------- */

static jn_ratfun not_one(void)
{
    return (jn_ratfun){-1};
}

/* The double itself, exactly. */
jn_ratfun jni_of_double(question *q, double v)
{
    int exponent;
    fmpq_t r;
    if (!isfinite(v))
        return not_one();
    fmpq_init(r);
    fmpz_set_d(fmpq_numref(r), ldexp(frexp(v, &exponent), 53));
    exponent -= 53;
    if (exponent >= 0)
        fmpq_mul_2exp(r, r, (flint_bitcnt_t)exponent);
    else
        fmpq_div_2exp(r, r, (flint_bitcnt_t)-exponent);
    jn_ratfun c = jn_ratfun_fmpq(q->g->field, r);
    fmpq_clear(r);
    return c;
}

/* Functions of numbers are worth what a run makes of them: the nearest double. */
static double function(jn_expr_op op, double a, double b)
{
    switch (op) {
    case JN_X_POW:
        return pow(a, b);
    case JN_X_SIN:
        return sin(a);
    case JN_X_COS:
        return cos(a);
    case JN_X_TAN:
        return tan(a);
    case JN_X_EXP:
        return exp(a);
    case JN_X_LOG:
        return log(a);
    case JN_X_SQRT:
        return sqrt(a);
    case JN_X_ATAN:
        return atan(a);
    case JN_X_TANH:
        return tanh(a);
    case JN_X_FLOOR:
        return floor(a);
    case JN_X_ATAN2:
        return atan2(a, b);
    case JN_X_MOD:
        return a - b * floor(a / b);
    default:
        return NAN;
    }
}

jn_ratfun jni_function_of(question *q, jn_expr_op op, jn_ratfun a, jn_ratfun b)
{
    jn_field *k = q->g->field;
    fmpq_t n;
    fmpq_init(n);
    jn_ratfun r = not_one();
    bool whole = op == JN_X_POW && jn_ratfun_get_fmpq(n, k, b) && fmpz_is_one(fmpq_denref(n)) &&
                 fmpz_cmpabs(fmpq_numref(n), (fmpz[]){64}) <= 0;
    if (!whole || jn_ratfun_pow(&r, k, a, fmpz_get_si(fmpq_numref(n))) != JN_OK)
        r = jni_of_double(q, function(op, jn_ratfun_get_d(k, a), jn_ratfun_get_d(k, b)));
    fmpq_clear(n);
    return r;
}

/* ---- at a time ----------------------------------------------------------------------------- */

static const char *path_of(const question *q, const char *file)
{
    return !q->folder || file[0] == '/' ? file
                                        : jn_arena_printf(q->arena, "%s/%s", q->folder, file);
}

/* What a run says of a file that cannot be read is not said again here. */
static struct table_points read_table(question *q, const jn_table *of)
{
    struct table_points p = {-1, NULL, NULL};
    jn_diags *d = jn_diags_new();
    const jn_csv *file;
    if (jn_csv_read(&file, q->arena, path_of(q, of->file), d) == JN_OK &&
        jn_csv_ascending(&p.t, q->arena, file, of->over_time ? "t" : file->name[0], d) == JN_OK &&
        jn_csv_numbers(&p.value, q->arena, file, of->column, d) == JN_OK)
        p.n = file->nrows;
    jn_diags_free(d);
    return p;
}

static int first_after(const struct table_points *p, double x)
{
    int low = 0, high = p->n;
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (p->t[mid] <= x)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Linear between its points, constant beyond them. */
static double in_table(question *q, int table, double x)
{
    int n = q->g->ntables;
    if (!q->table) {
        q->table = jni_room(q, (size_t)n * sizeof *q->table);
        for (int k = 0; k < n; k++)
            q->table[k] = read_table(q, &q->g->table[k]);
    }
    const struct table_points *p = &q->table[table];
    if (p->n <= 0 || isnan(x))
        return NAN;
    int i = first_after(p, x);
    if (i == 0 || i == p->n)
        return p->value[i ? p->n - 1 : 0];
    double share = (x - p->t[i - 1]) / (p->t[i] - p->t[i - 1]);
    return p->value[i - 1] + share * (p->value[i] - p->value[i - 1]);
}

static bool holds_at(question *q, const jn_expr *c, double t)
{
    if (c->op == JN_X_NOT)
        return !holds_at(q, c->arg[0], t);
    if (c->op == JN_X_AND || c->op == JN_X_OR) {
        bool a = holds_at(q, c->arg[0], t), b = holds_at(q, c->arg[1], t);
        return c->op == JN_X_AND ? a && b : a || b;
    }
    double a = jni_expr_at(q, c->arg[0], t), b = jni_expr_at(q, c->arg[1], t);
    switch (c->op) {
    case JN_X_LT:
        return a < b;
    case JN_X_LE:
        return a <= b;
    case JN_X_GE:
        return a >= b;
    case JN_X_GT:
        return a > b;
    default:
        return a == b;
    }
}

static double operation(jn_expr_op op, double a, double b)
{
    switch (op) {
    case JN_X_NEG:
        return -a;
    case JN_X_ADD:
        return a + b;
    case JN_X_SUB:
        return a - b;
    case JN_X_MUL:
        return a * b;
    case JN_X_DIV:
        return a / b;
    case JN_X_ABS:
        return fabs(a);
    case JN_X_SIGN:
        return (a > 0) - (a < 0);
    case JN_X_MIN:
        return fmin(a, b);
    case JN_X_MAX:
        return fmax(a, b);
    default:
        return function(op, a, b);
    }
}

double jni_expr_at(question *q, const jn_expr *e, double t)
{
    jn_ratfun c = e->op == JN_X_NUMBER || e->op == JN_X_PARAM ? jni_expr_constant(q, e) : not_one();
    if (c.id >= 0)
        return jn_ratfun_get_d(q->g->field, c);
    if (e->op == JN_X_TIME || e->op == JN_X_PI)
        return e->op == JN_X_PI ? JN_PI : t;
    if (e->op == JN_X_SIGNAL)
        return jni_expr_at(q, q->g->signal[e->index].expr, t);
    if (e->op == JN_X_IF)
        return jni_expr_at(q, e->arg[holds_at(q, e->arg[0], t) ? 1 : 2], t);
    if (e->op == JN_X_TABLE)
        return in_table(q, e->index, jni_expr_at(q, e->arg[0], t));
    if (e->op < JN_X_NEG || e->op > JN_X_MAX)
        return NAN;
    return operation(e->op, jni_expr_at(q, e->arg[0], t),
                     e->nargs > 1 ? jni_expr_at(q, e->arg[1], t) : 0);
}
