#ifndef IFTTT_CRASH_REPORT_H
#define IFTTT_CRASH_REPORT_H

/* From now on, a signal that says that the program is faulty (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT) prints one
   line on stderr before it ends the process as usual:

     ifttt 0.1.0 crashed: SIGSEGV, build 5f0c…, at 0x1a2b 0x3c4d

   The addresses are those of the program's own frames, innermost first, as offsets in its file. `program` is the beginning of
   the line, of which at most 63 bytes are printed. */
void crash_report_install(const char *program);

#endif
