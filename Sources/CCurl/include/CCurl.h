#ifndef IFTTT_CCURL_H
#define IFTTT_CCURL_H
#endif
