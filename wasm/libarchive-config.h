#pragma once

/*
 * libarchive-config - libarchive's config.h for WebAssembly: only the reading half is
 * built, with the four filters of archive/archive.c; no locale, no users, no processes
 */

#define __LIBARCHIVE_CONFIG_H_INCLUDED 1
#define HAVE_ARC4RANDOM_BUF            1
#define HAVE_BZLIB_H                   1
#define HAVE_CTYPE_H                   1
#define HAVE_ERRNO_H                   1
#define HAVE_FCNTL                     1
#define HAVE_FCNTL_H                   1
#define HAVE_FSTAT                     1
#define HAVE_GMTIME_R                  1
#define HAVE_INTTYPES_H                1
#define HAVE_LIBBZ2                    1
#define HAVE_LIBLZMA                   1
#define HAVE_LIBZ                      1
#define HAVE_LIBZSTD                   1
#define HAVE_LIMITS_H                  1
#define HAVE_LOCALE_H                  1
#define HAVE_LOCALTIME_R               1
#define HAVE_LZMA_H                    1
#define HAVE_MBRTOWC                   1
#define HAVE_MEMMOVE                   1
#define HAVE_MEMSET                    1
#define HAVE_STDARG_H                  1
#define HAVE_STDINT_H                  1
#define HAVE_STDLIB_H                  1
#define HAVE_STRCHR                    1
#define HAVE_STRDUP                    1
#define HAVE_STRERROR                  1
#define HAVE_STRING_H                  1
#define HAVE_STRRCHR                   1
#define HAVE_SYS_STAT_H                1
#define HAVE_SYS_TIME_H                1
#define HAVE_SYS_TYPES_H               1
#define HAVE_TIMEGM                    1
#define HAVE_TIME_H                    1
#define HAVE_UNISTD_H                  1
#define HAVE_VPRINTF                   1
#define HAVE_WCHAR_H                   1
#define HAVE_WCRTOMB                   1
#define HAVE_WCSCMP                    1
#define HAVE_WCSCPY                    1
#define HAVE_WCSLEN                    1
#define HAVE_WCTOMB                    1
#define HAVE_WCTYPE_H                  1
#define HAVE_WMEMCMP                   1
#define HAVE_WMEMCPY                   1
#define HAVE_WMEMMOVE                  1
#define HAVE_ZLIB_H                    1
#define HAVE_ZSTD_H                    1
#define HAVE_DECL_INT32_MAX            1
#define HAVE_DECL_INT32_MIN            1
#define HAVE_DECL_INT64_MAX            1
#define HAVE_DECL_INT64_MIN            1
#define HAVE_DECL_INTMAX_MAX           1
#define HAVE_DECL_INTMAX_MIN           1
#define HAVE_DECL_SIZE_MAX             1
#define HAVE_DECL_UINT32_MAX           1
#define HAVE_DECL_UINT64_MAX           1
#define HAVE_DECL_UINTMAX_MAX          1
#define SIZEOF_WCHAR_T                 4
