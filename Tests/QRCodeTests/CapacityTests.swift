import Dispatch
import QRCode
import Synchronization
import Testing

/// How much fits, and what is said of what does not.
@Suite struct CapacityTests {
    @Test(arguments: QRCode.Correction.allCases)
    func `the version is the smallest that holds the bytes`(_ correction: QRCode.Correction) throws {
        for version in 1...40 {
            let full = try QRCode(Sample.bytes(Capacity.bytes(version, correction)), correction: correction)
            #expect(full.version == version)
            if version < 40 {
                let one = try Sample.symbol(version: version + 1, correction)
                #expect(one.version == version + 1)
            }
        }
    }

    @Test func `176 characters of base64 at level M are version 9`() throws {
        #expect(Sample.base64.utf8.count == 176)

        #expect(try QRCode(text: Sample.base64).version == 9)
    }

    // Alphanumeric mode would hold these 25 characters in version 1 at level L, byte mode takes version 2.
    @Test func `capital letters and digits are in byte mode too`() throws {
        #expect(try QRCode(text: "ABCDEFGHIJKLMNOPQRSTUVWXY", correction: .low).version == 2)
    }

    @Test(arguments: QRCode.Correction.allCases)
    func `a byte more than version 40 holds is refused with the limit`(_ correction: QRCode.Correction) throws
    {
        let limit = Capacity.bytes(40, correction)

        #expect(correction.byteLimit == limit)
        #expect(throws: QRCodeError.contentTooLong(bytes: limit + 1, correction: correction)) {
            try QRCode(Sample.bytes(limit + 1), correction: correction)
        }
    }

    @Test func `the limit counts the bytes of a text, not its characters`() throws {
        let text = String(repeating: "é", count: 637)

        #expect(throws: QRCodeError.contentTooLong(bytes: 1274, correction: .high)) {
            try QRCode(text: text, correction: .high)
        }
    }

    @Test func `nothing to encode is refused`() throws {
        #expect(throws: QRCodeError.contentEmpty) { try QRCode([]) }
        #expect(throws: QRCodeError.contentEmpty) { try QRCode(text: "") }
    }

    @Test func `a refusal says the limit, what came, and what would help`() {
        let helped = QRCodeError.contentTooLong(bytes: 2400, correction: .medium)
        let hopeless = QRCodeError.contentTooLong(bytes: 3000, correction: .low)

        #expect(
            helped.description
                == "A QR code at error correction level M holds at most 2331 bytes, the content has 2400; shorten it "
                + "or take level L, which holds 2953.")
        #expect(
            hopeless.description
                == "A QR code at error correction level L holds at most 2953 bytes, the content has 3000; shorten it."
        )
        #expect(QRCodeError.contentEmpty.description.hasSuffix("."))
        #expect(QRCodeError.libraryFailed(code: 12).description.contains("errno 12"))
    }

    @Test func `many threads encode at once and get what one would`() throws {
        let versions = (0..<160).map { $0 % 40 + 1 }
        let symbols = Mutex<[Int: QRCode]>([:])

        DispatchQueue.concurrentPerform(iterations: versions.count) { index in
            // A failure is nil, which is unequal to every symbol.
            let symbol = try? Sample.symbol(version: versions[index], .quartile)
            symbols.withLock { $0[index] = symbol }
        }
        for (index, version) in versions.enumerated() {
            #expect(try symbols.withLock { $0[index] } == Sample.symbol(version: version, .quartile))
        }
    }
}
