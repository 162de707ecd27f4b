import COpenSSL

/// An extendable-output function of FIPS 202 §6.2, on one context for one input after another: to make a context costs as much as a
/// short output.
///
/// OpenSSL 3.0 gives the output of an input once: who needs more of it than was asked for starts again and asks for more.
package final class SHAKE {
    package enum Strength: Sendable {
        case bits128
        case bits256
    }

    private let context: OpaquePointer

    package init(_ strength: Strength) {
        let algorithms = KeccakAlgorithms.shared
        guard let context = EVP_MD_CTX_new(),
            EVP_DigestInit_ex2(
                context, strength == .bits128 ? algorithms.shake128 : algorithms.shake256, nil) == 1
        else { preconditionFailure("no memory to hash") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package func absorb(_ bytes: [UInt8]) {
        let isTaken = EVP_DigestUpdate(context, bytes, bytes.count)
        precondition(isTaken == 1, "SHAKE takes every input")
    }

    package func absorb(_ bytes: UnsafeBufferPointer<UInt8>) {
        let isTaken = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(isTaken == 1, "SHAKE takes every input")
    }

    /// Two bytes, such as the place in a matrix or a number of 16 bits.
    package func absorb(_ first: UInt8, _ second: UInt8) {
        withUnsafeBytes(of: (first, second)) {
            let isTaken = EVP_DigestUpdate(context, $0.baseAddress, 2)
            precondition(isTaken == 1, "SHAKE takes every input")
        }
    }

    package func absorb(_ byte: UInt8) {
        withUnsafeBytes(of: byte) {
            let isTaken = EVP_DigestUpdate(context, $0.baseAddress, 1)
            precondition(isTaken == 1, "SHAKE takes every input")
        }
    }

    /// Fills `output` and is ready for another input.
    package func squeeze(into output: UnsafeMutableBufferPointer<UInt8>) {
        let isDone =
            EVP_DigestFinalXOF(context, output.baseAddress, output.count) == 1
            && EVP_DigestInit_ex2(context, nil, nil) == 1
        precondition(isDone, "SHAKE gives every output")
    }

    /// The first `count` bytes of the output; ready for another input afterwards.
    package func squeeze(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            squeeze(into: UnsafeMutableBufferPointer(rebasing: bytes[..<count]))
            written = count
        }
    }
}
