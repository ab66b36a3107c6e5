#ifndef IFTTT_CSQLITE_H
#define IFTTT_CSQLITE_H

#include <sqlite3.h>
#include <string.h>
#include <sys/types.h>

#ifdef __linux__
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

/* Swift cannot call variadic functions or see casts in macros, hence the functions below. */

/* Turns off statistics of memory, for which SQLite takes a lock around each allocation, and two reservations per database that
   touch more memory than a short command needs: 20 pages of the file, and small blocks. Call this before anything else. */
static inline int csqlite_start(void) {
  int result = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (result == SQLITE_OK) result = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
  return result == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0) : result;
}

static inline int csqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, place, bytes == 0 ? "" : (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, place, bytes == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

/* Reads the start of the file, zeros where it is shorter, through the descriptor that SQLite has open and takes no lock. A descriptor of our
   own would not do: closing it gives up every POSIX lock this process holds on the file. */
static inline int csqlite_read_start(sqlite3 *database, void *bytes, int count) {
  sqlite3_file *file = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK) return result;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  result = file->pMethods->xRead(file, bytes, count, 0);
  return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}

/* Keeps the write-ahead log and its shared memory when the last connection is closed. */
static inline int csqlite_keep_log(sqlite3 *database) {
  int keeps = 1;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps);
}

/* 1 where the path of an open database leads to another file by now, or to none. */
static inline int csqlite_has_moved(sqlite3 *database) {
  int moved = 0;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

/* 1 where a file system of this Linux type (statfs(2)) may be shared with other machines, whose processes
   do not see the shared memory that write-ahead logging needs. FUSE counts as shared, as sshfs is one of them. */
static inline int csqlite_is_network_type(unsigned long type) {
  switch (type & 0xFFFFFFFFul) {
    case 0x6969:      /* NFS */
    case 0x517B:      /* SMB */
    case 0xFF534D42u: /* CIFS */
    case 0xFE534D42u: /* SMB2 */
    case 0x5346414F:  /* AFS */
    case 0x73757245:  /* Coda */
    case 0x01021997:  /* 9P, also between a virtual machine and its host */
    case 0x65735546:  /* FUSE */
    case 0x00C36400:  /* Ceph */
    case 0x0BD00BD0:  /* Lustre */
    case 0x01161970:  /* GFS2 */
    case 0x7461636F:  /* OCFS2 */
    case 0x786F4256:  /* VirtualBox */
      return 1;
    default:
      return 0;
  }
}

/* 1 where the folder is on a network file system; 0 also where that cannot be found out. */
static inline int csqlite_is_network_folder(const char *path) {
  struct statfs facts;
  if (statfs(path, &facts) != 0) return 0;
#ifdef __linux__
  return csqlite_is_network_type((unsigned long)facts.f_type);
#else
  return (facts.f_flags & MNT_LOCAL) == 0;
#endif
}

#endif
