/* A library of Windows that Wine 8 lacks: random bytes for the standard library. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    while (count) {
        ULONG now = count > 65536 ? 65536 : (ULONG)count;
        if (!SystemFunction036(bytes, now))
            return FALSE;
        bytes += now;
        count -= now;
    }
    return TRUE;
}
