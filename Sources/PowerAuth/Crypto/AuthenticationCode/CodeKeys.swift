import Crypto

/// The keys of an activation's factors, of either generation, and the codes that they make.
enum CodeKeys: Sendable, Equatable {
    case v3(FactorKeys)
    case v4(V4.FactorKeys)

    /// Where a code was found.
    struct Match: Sendable, Equatable {
        let type: SignatureType
        /// Steps from the expected counter to that of the code; 0 when nothing was skipped.
        let distance: Int
        /// The value to be stored: the one after that of the code.
        let next: CodeCounter
        /// Whether it was made with a key that is to become the current one.
        var isOfNextKey = false
    }

    /// The codes that are right, that of the current keys first; none where a factor has no key or the counter is of the other generation.
    func codes(
        _ type: SignatureType, _ counter: CodeCounter, _ data: NormalizedData,
        _ format: AuthenticationCodeFormat
    ) throws -> [String] {
        switch (self, counter) {
        case (.v3(let keys), .folded(let counter)):
            [AuthenticationCode.compute(type, keys: keys, counter: counter, data: data, format: format)]
        case (.v4(let keys), .hashed(let counter)):
            try keys.alternatives(type).map { keys in
                format.text(of: try V4.Code.components(keys, counter, data))
            }
        default: []
        }
    }

    /// Looks for `code` at `lookAhead` values of the counter, from the expected one on.
    ///
    /// - Returns: nil when it is at none of them.
    func find(
        _ code: String, among candidates: [AuthenticationCode.Candidate], from counter: CodeCounter,
        lookAhead: Int, format: AuthenticationCodeFormat
    ) throws -> Match? {
        if case .v3(let keys) = self, case .folded(let counter) = counter {
            let found = AuthenticationCode.find(
                code, among: candidates, keys: keys, from: counter, lookAhead: lookAhead, format: format)
            return found.map { Match(type: $0.type, distance: $0.distance, next: .folded($0.next)) }
        }
        var current = counter
        for distance in 0..<max(lookAhead, 0) {
            for candidate in candidates {
                let codes = try codes(candidate.type, current, candidate.data, format)
                let index = codes.firstIndex { constantTimeEqual(Array(code.utf8), Array($0.utf8)) }
                if let index {
                    return Match(
                        type: candidate.type, distance: distance, next: current.next, isOfNextKey: index > 0)
                }
            }
            current = current.next
        }
        return nil
    }

    /// Whether no code of biometry can be right: in 4.0 it is enabled by the device.
    var isWithoutBiometry: Bool {
        if case .v4(let keys) = self { keys.biometry.isEmpty } else { false }
    }
}
