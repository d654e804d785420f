/* number_rule.c: Radau's points on [0, 1], and the matrices that belong to them. */
#include <math.h>

#include "number_rule.h"

/* P_s − P_{s−1}, Legendre's polynomials on [0, 1]: its roots are Radau's points. */
static double radau(double c)
{
    double x = 2 * c - 1, p0 = 1, p1 = x;
    for (int k = 2; k <= STAGES; k++) {
        double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
    }
    return p1 - p0;
}

static double root_between(double low, double high)
{
    bool sign = radau(low) > 0;
    for (;;) {
        double mid = 0.5 * (low + high);
        if (mid <= low || mid >= high)
            return high;
        if ((radau(mid) > 0) == sign)
            low = mid;
        else
            high = mid;
    }
}

static void find_points(radau_rule *r)
{
    enum { GRID = 1000 };
    int n = 1;
    for (int i = 0; i < GRID - 1 && n < STAGES; i++) {
        double low = (double)i / GRID, high = (i + 1.0) / GRID;
        if ((radau(low) > 0) != (radau(high) > 0))
            r->c[n++] = root_between(low, high);
    }
    r->c[STAGES] = 1;
}

/* From Lagrange's polynomials through all nodes. */
static void find_slopes(radau_rule *r)
{
    double w[NODES];
    for (int i = 0; i < NODES; i++) {
        w[i] = 1;
        for (int j = 0; j < NODES; j++)
            w[i] /= i == j ? 1 : r->c[i] - r->c[j];
    }
    for (int i = 1; i < NODES; i++) {
        double sum = 0;
        for (int j = 0; j < NODES; j++) {
            double d = i == j ? 0 : w[j] / w[i] / (r->c[i] - r->c[j]);
            sum -= d;
            if (j > 0)
                r->D[i - 1][j - 1] = d;
        }
        r->D[i - 1][i - 1] = sum;
    }
}

/* v := A⁻¹·v by elimination with row pivots; A is lost. */
static void solve_small(double complex A[STAGES][STAGES], double complex *v)
{
    for (int k = 0; k < STAGES; k++) {
        int best = k;
        for (int i = k + 1; i < STAGES; i++)
            best = cabs(A[i][k]) > cabs(A[best][k]) ? i : best;
        for (int j = 0; j < STAGES; j++) {
            double complex x = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = x;
        }
        double complex x = v[k];
        v[k] = v[best];
        v[best] = x;
        for (int i = k + 1; i < STAGES; i++) {
            double complex factor = A[i][k] / A[k][k];
            for (int j = k; j < STAGES; j++)
                A[i][j] -= factor * A[k][j];
            v[i] -= factor * v[k];
        }
    }
    for (int i = STAGES - 1; i >= 0; i--) {
        for (int j = i + 1; j < STAGES; j++)
            v[i] -= A[i][j] * v[j];
        v[i] /= A[i][i];
    }
}

/* The right or left eigenvector of D, by inverse iteration. */
static void eigenvector(double complex *v, const radau_rule *r, double complex mu, bool left)
{
    for (int i = 0; i < STAGES; i++)
        v[i] = 1 + 0.1 * i;
    for (int times = 0; times < 3; times++) {
        double complex A[STAGES][STAGES];
        double size = 0;
        for (int i = 0; i < STAGES; i++)
            for (int j = 0; j < STAGES; j++)
                A[i][j] = (left ? r->D[j][i] : r->D[i][j]) - (i == j ? mu * (1 + 1e-12) : 0);
        solve_small(A, v);
        for (int i = 0; i < STAGES; i++)
            size = fmax(size, cabs(v[i]));
        for (int i = 0; i < STAGES; i++)
            v[i] /= size;
    }
}

/* The denominator of Padé's fraction of degrees s − 1 and s for exp, its leading coefficient 1: the one
 * of z^(j−1) is −j·(2s − j)/(s − j + 1) times that of z^j. */
static double complex denominator(double complex z)
{
    double complex sum = 1;
    double a = 1;
    for (int j = STAGES; j > 0; j--) {
        a *= -j * (2.0 * STAGES - j) / (STAGES - j + 1);
        sum = sum * z + a;
    }
    return sum;
}

/* The eigenvalues of D are its roots: all of them together, by Weierstrass's iteration. */
static void find_roots(double complex *root)
{
    enum { MOST = 200 };
    double moved = 1;
    for (int i = 0; i < STAGES; i++)
        root[i] = STAGES * cexp(I * (2 * PI * i / STAGES + 0.4));
    for (int times = 0; times < MOST && moved > 1e-12; times++) {
        moved = 0;
        for (int i = 0; i < STAGES; i++) {
            double complex step = denominator(root[i]);
            for (int j = 0; j < STAGES; j++)
                step /= i == j ? 1 : root[i] - root[j];
            root[i] -= step;
            moved = fmax(moved, cabs(step) / STAGES);
        }
    }
}

/* Rayleigh's quotient makes an eigenvalue of the matrix as it is out of the root. */
static void make_system(radau_rule *r, int n, double complex root, bool is_real)
{
    double complex right[STAGES], left[STAGES], product = 0, value = 0;
    eigenvector(right, r, root, false);
    eigenvector(left, r, root, true);
    for (int i = 0; i < STAGES; i++) {
        product += left[i] * right[i];
        for (int j = 0; j < STAGES; j++)
            value += left[i] * r->D[i][j] * right[j];
    }
    r->mu[n] = value / product;
    for (int k = 0; k < STAGES; k++) {
        r->to[n][k] = left[k] / product;
        r->from[k][n] = (is_real ? 1 : 2) * right[k];
    }
}

/* Those that turn fastest come first; of a pair one is enough. */
static void find_systems(radau_rule *r)
{
    const double real = 1e-6;
    double complex root[STAGES];
    find_roots(root);
    for (int n = 0; n < SYSTEMS; n++) {
        int next = 0;
        for (int i = 1; i < STAGES; i++)
            next = cimag(root[i]) > cimag(root[next]) ? i : next;
        bool is_real = fabs(cimag(root[next])) < real;
        make_system(r, n, is_real ? creal(root[next]) : root[next], is_real);
        root[next] = conj(root[next]); /* below the axis: not again */
    }
}

static bool find_fit(radau_rule *r)
{
    double T[NODES * NODES];
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < NODES; k++) {
            T[i * NODES + k] = cos(k * acos(2 * r->c[i] - 1));
            r->fit[i * NODES + k] = i == k;
        }
    return jni_dense_solve(T, r->fit, NODES, NODES);
}

bool jni_radau_rule_find(radau_rule *r)
{
    find_points(r);
    find_slopes(r);
    find_systems(r);
    return find_fit(r);
}
