import COpenSSL

/// Whether two byte strings are the same, found in a time that depends on their lengths alone.
package func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
}
