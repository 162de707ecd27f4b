import COpenSSL

/// Bytes that nobody can foretell. Only the entropy of a world draws them.
package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            // Fails only when the operating system gives no entropy: nothing safe can follow.
            precondition(RAND_bytes(bytes.baseAddress, Int32(count)) == 1, "no entropy")
            written = count
        }
    }
}
