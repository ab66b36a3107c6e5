#ifndef IFTTT_CGLIBC_H
#define IFTTT_CGLIBC_H

/* Functions of newer versions of glibc that statically linked libraries import, so that the program also runs with glibc
   2.35 (Ubuntu 22.04). They are not called from Swift. */

#endif
