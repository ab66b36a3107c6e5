#ifndef IFTTT_CEXPAT_H
#define IFTTT_CEXPAT_H

#include <expat.h>

#endif
