import Sockets
import Testing

struct SHA1Tests {
    /// Source: FIPS 180-1, appendices A and B, and the empty message.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
    ])
    func `the standard's messages have the standard's hashes`(_ text: String, _ hash: String) throws {
        let hex = try SHA1.hash([UInt8](text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }

        #expect(hex.joined() == hash)
    }
}
