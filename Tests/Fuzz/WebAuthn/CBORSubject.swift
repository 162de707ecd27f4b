import Crypto
import WebAuthn

/// The CBOR decoder: what it reads it writes in canonical form, and reads the same again.
struct CBORSubject: Subject {
    static let name = "cbor"
    static let memoryMiB: Int? = 64

    let corpus: [[UInt8]] =
        AttestationCorpus.objects.compactMap { Base64URL.decode($0) }
        + [
            "00", "1bffffffffffffffff", "3903e7", "4401020304", "64f0908591", "8301820203820405",
            "a26161016162820203", "f4", "f6", "a5010203262001215820", "818181818181818100", "f97e00", "c100",
            "9fff", "bf6161019f0203ffff", "5f42010243030405ff", "a10000", "a2000000f6",
        ].compactMap(Hex.decode)

    let dictionary: [[UInt8]] = [
        [0xA1], [0x81], [0x9A, 0, 1, 0, 0], [0xBA, 0, 1, 0, 0],
        [0x5B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x9F], [0xBF], [0xFF], [0x5F], [0x7F],
        [0xC0],
        [0xF9], [0x18], [0x19], [0x1A], [0x1B], [0x38], [0x61, 0xFF], [0x60], [0x40], [0xF6],
        [UInt8](repeating: 0x81, count: 600), [0x99, 0x03, 0xFF] + [UInt8](repeating: 0x80, count: 1023),
    ]

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let first: (value: CBOR, count: Int)
        do {
            first = try CBORDecoder.first(in: input[...])
        } catch {
            guard (try? CBORDecoder.decode(input)) == nil else {
                throw Violation("the whole is read, its begin is not")
            }
            guard error.offset <= input.count else { throw Violation("an error beyond the end: \(error)") }
            return
        }
        guard 1...max(1, input.count) ~= first.count else {
            throw Violation("\(first.count) bytes were read")
        }
        let whole = try? CBORDecoder.decode(input)
        guard (whole != nil) == (first.count == input.count) else {
            throw Violation("bytes behind an item make no difference")
        }
        let encoded = first.value.encoded
        guard encoded.count == first.count else {
            throw Violation("\(first.count) bytes were read and \(encoded.count) written")
        }
        guard let again = try? CBORDecoder.decode(encoded), again.encoded == encoded else {
            throw Violation("what was written is read as something else")
        }
    }
}
