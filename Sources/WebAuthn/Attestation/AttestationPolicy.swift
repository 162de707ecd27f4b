package import Crypto
package import Essentials

/// Whom a relying party trusts to attest. Source: Web Authentication Level 3 §7.1 steps 24 and 25.
package struct AttestationPolicy: Sendable {
    package var anchors: [Certificate]
    /// When certificates must be valid; nil to leave times unchecked: published certificates are mostly expired.
    package var date: Date?
    /// Whether only an attestation by one of the anchors will do.
    package var requiresTrust: Bool

    package init(anchors: [Certificate] = [], date: Date? = nil, requiresTrust: Bool = false) {
        (self.anchors, self.date, self.requiresTrust) = (anchors, date, requiresTrust)
    }

    func trust(_ evidence: AttestationEvidence) -> AttestationTrust {
        if evidence.type == .compound {
            let all = evidence.parts.map(trust)
            return all.first { if case .trusted = $0 { true } else { false } } ?? all.first ?? .none
        }
        if evidence.type == .selfAttestation { return .selfAttested }
        guard let leaf = evidence.trustPath.first else { return .none }
        if anchors.isEmpty { return .unchecked }
        do {
            let above = Array(evidence.trustPath.dropFirst())
            switch try leaf.chain(over: above, to: anchors, at: date) {
            case .trusted(let path): return .trusted(path)
            case .untrusted(let reason): return .untrusted(reason)
            }
        } catch {
            return .untrusted("\(error)")
        }
    }
}
