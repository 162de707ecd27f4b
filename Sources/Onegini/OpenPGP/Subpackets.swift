extension OpenPGP {
    /// One of the two areas of a signature that say more about it. Source: RFC 4880 §5.2.3.1.
    struct Subpackets {
        /// The kinds that are read or written here; others are passed over unless they are critical.
        enum Kind: UInt8 {
            case created = 2
            case expiresAfter = 3
            case keyExpiresAfter = 9
            case preferredCiphers = 11
            case issuer = 16
            case preferredHashes = 21
            case preferredCompression = 22
            case keyServerPreferences = 23
            case primaryUserID = 25
            case keyFlags = 27
            case signerUserID = 28
            case revocationReason = 29
            case features = 30
            case embeddedSignature = 32
            case issuerFingerprint = 33
        }

        /// With the 2 bytes of its length.
        let encoded: [UInt8]
        /// RFC 4880 §5.2.3.1: a signature that has one is in error.
        let unknownCritical: UInt8?
        private let values: [Kind: [UInt8]]

        /// The first of its kind.
        subscript(kind: Kind) -> [UInt8]? { values[kind] }

        /// A number of 4 bytes.
        func number(_ kind: Kind) -> Int? {
            guard let value = values[kind], value.count == 4 else { return nil }
            return value.reduce(0) { $0 << 8 | Int($1) }
        }

        /// - Parameter area: without its length.
        init(_ area: [UInt8]) throws(OpenPGPError) {
            var reader = Reader(area)
            var values: [Kind: [UInt8]] = [:]
            var unknownCritical: UInt8?
            while !reader.isAtEnd {
                let body = try reader.bytes(Self.length(&reader))
                guard let head = body.first else { throw .malformed("a subpacket of a signature is empty") }
                if let kind = Kind(rawValue: head & 0x7F) {
                    values[kind] = values[kind] ?? Array(body.dropFirst())
                } else if head & 0x80 != 0 {
                    unknownCritical = head & 0x7F
                }
            }
            self.values = values
            self.unknownCritical = unknownCritical
            encoded = OpenPGP.bytes(of: area.count, count: 2) + area
        }

        /// Values shorter than 191 bytes each.
        init(_ list: [(kind: Kind, value: [UInt8])]) throws(OpenPGPError) {
            try self.init(
                list.flatMap { [UInt8(truncatingIfNeeded: $0.value.count + 1), $0.kind.rawValue] + $0.value })
        }

        private static func length(_ reader: inout Reader) throws(OpenPGPError) -> Int {
            let first = try Int(reader.byte())
            switch first {
            case ..<192: return first
            case ..<255: return try (first - 192) << 8 + reader.integer(1) + 192
            default: return try reader.integer(4)
            }
        }
    }
}
