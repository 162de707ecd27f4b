import Crypto

/// Authentication codes (signatures, in the words of protocol 3): each used factor has a component, which depends on the keys
/// of the factors before it, on the counter and on the data.
package enum AuthenticationCode {
    /// What a code may have been made of.
    package struct Candidate: Sendable {
        package let type: SignatureType
        package let data: NormalizedData

        package init(_ type: SignatureType, _ data: NormalizedData) {
            self.type = type
            self.data = data
        }
    }

    /// Where a code was found.
    package struct Match: Sendable, Equatable {
        package let type: SignatureType
        /// Index in the list of candidates.
        package let candidate: Int
        /// Steps from the expected counter to that of the code; 0 when nothing was skipped.
        package let distance: Int
        /// The value to be stored: the one after that of the code. The numeric counter rises by `distance + 1`.
        package let next: HashCounter
    }

    package static func compute(
        _ type: SignatureType, keys: FactorKeys, counter: HashCounter, data: NormalizedData,
        format: AuthenticationCodeFormat
    ) -> String {
        format.text(of: components(type, keys, counter, data, HMAC(.sha256)))
    }

    /// Looks for `code` at `lookAhead` values of the counter, from the expected one on.
    ///
    /// Each comparison takes the same time for every wrong code of the right length; how many are made tells the distance alone.
    ///
    /// - Returns: `nil` when it is at none of them.
    package static func find(
        _ code: String, among candidates: [Candidate], keys: FactorKeys, from counter: HashCounter,
        lookAhead: Int, format: AuthenticationCodeFormat
    ) -> Match? {
        let (hmac, code) = (HMAC(.sha256), Array(code.utf8))
        var current = counter
        for distance in 0..<max(lookAhead, 0) {
            for (index, candidate) in candidates.enumerated() {
                let components = components(candidate.type, keys, current, candidate.data, hmac)
                if constantTimeEqual(code, Array(format.text(of: components).utf8)) {
                    return Match(
                        type: candidate.type, candidate: index, distance: distance, next: current.next)
                }
            }
            current = current.next
        }
        return nil
    }

    /// Component i starts with the link of factor i and runs through the links 1 to i, where a link is HMAC(key, counter).
    private static func components(
        _ type: SignatureType, _ keys: FactorKeys, _ counter: HashCounter, _ data: NormalizedData,
        _ hmac: HMAC
    ) -> [[UInt8]] {
        let links = type.factors.map { hmac.code(of: counter.data, key: keys[$0].bytes) }
        return links.indices.map { index in
            let key = links[..<(index + 1)].dropFirst().reduce(links[index]) { key, link in
                hmac.code(of: key, key: link)
            }
            return hmac.code(of: data.bytes, key: key)
        }
    }
}
