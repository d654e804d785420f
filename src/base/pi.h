/* pi.h: C11 has no name for it. */
#ifndef PI_H
#define PI_H

#define PI 3.14159265358979323846

#endif
