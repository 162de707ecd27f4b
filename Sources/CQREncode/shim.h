#include <errno.h>
#include <qrencode.h>

/// Encodes `size` bytes as one segment in byte mode, in the smallest version that holds them.
/// On failure answers null, with the value of errno in `reason`: the module in Swift does not import the C library.
static inline QRcode *qrencode_bytes(const unsigned char *data, int size, QRecLevel level, int *reason) {
    QRcode *symbol = QRcode_encodeData(size, data, 0, level);
    *reason = symbol == 0 ? errno : 0;
    return symbol;
}
