/* networks.h: random networks of diodes between resistors, inductors, capacitors and sources. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include "junct.h"
#include "testing.h"

/* Nodes g, n1, n2, … in a tree of branches, and some branches more; g is the ground. At least one
 * branch is a diode, and the statements are in any order. Every node has a way to the ground, but it may
 * be through a diode or an inductor: nodes float, loops of capacitors are closed, currents are cut off. */
void network_write(jn_str *text, test_rng *r);

#endif
