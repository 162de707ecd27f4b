import Crypto

extension V4 {
    /// How else documents can be read about the derivation of keys. No published vector fits these: what fails is tried in them, and the
    /// journal says which one a client has.
    enum DerivationReading: CaseIterable, Sendable {
        case ofJune2025
        case withoutEmptyDiversifier

        /// For the end of a sentence.
        var name: String {
            switch self {
            case .ofJune2025:
                "keys that are derived as before the release, in June 2025 (custom string “PA4KDF:” and the label)"
            case .withoutEmptyDiversifier:
                "keys that are derived without the length of an empty diversifier, which counts as four zero bytes"
            }
        }

        func derive(_ key: [UInt8], _ label: String, diversifier: [UInt8] = []) throws -> [UInt8] {
            switch self {
            case .ofJune2025:
                try KMAC256.code(of: diversifier, key: key, custom: "PA4KDF:" + label, count: keyCount)
            case .withoutEmptyDiversifier:
                try mac(
                    sized(Array(label.utf8)) + (diversifier.isEmpty ? [] : sized(diversifier)), key,
                    for: .derivation)
            }
        }

        /// Several labels, each below the one before.
        func derive(_ key: [UInt8], along labels: String...) throws -> [UInt8] {
            try labels.reduce(key) { try derive($0, $1) }
        }
    }
}

extension V4.Code {
    /// The components as before the release, in June 2025: the keys of the factors are nested, not chained.
    ///
    /// - Parameter count: bytes of a component, 16 then.
    static func formerComponents(
        _ keys: [[UInt8]], _ counter: V4.Counter, _ data: NormalizedData, count: Int
    ) throws -> [[UInt8]] {
        var nested: [UInt8] = []
        return try keys.map { factor in
            let key = try V4.mac(counter.data, factor, for: .authenticationCode)
            nested = nested.isEmpty ? key : try V4.mac(nested, key, for: .authenticationCode)
            return try V4.mac(data.bytes, nested, for: .authenticationCode, count: count)
        }
    }
}
