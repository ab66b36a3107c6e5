#ifndef IFTTT_CCURL_DEPENDENCIES_H
#define IFTTT_CCURL_DEPENDENCIES_H

/* Opens the libraries that a shared library needs, one after the other, before the library itself.
 *
 * dlopen looks up each symbol of the libraries that it loads in all of them. libcurl and what it needs are 30 libraries. Opened
 * on their own, most of them need two or three, so that loading libcurl takes a quarter fewer instructions. The library is
 * searched for in the folders of the dynamic linker. If it is not there, or is not an ELF file, nothing is opened.
 *
 * Only on Linux; elsewhere it does nothing. */
void dependencies_open(const char *name);

#endif
