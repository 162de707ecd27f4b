import Crypto

/// A wrong code, compared with what it might be.
struct CodePattern {
    private let code: WrongCode
    private let text: [UInt8]
    /// The first of its components.
    private let first: [UInt8]
    let factorCount: Int

    init(_ code: WrongCode) {
        self.code = code
        text = Array(code.code.utf8)
        switch code.format {
        case .decimal:
            let groups = code.code.split(separator: "-")
            factorCount = groups.count
            first = Array((groups.first ?? "").utf8)
        case .base64, .wholeBase64:
            let (bytes, count) = (WireBase64.decode(code.code) ?? [], code.format.componentCount ?? 1)
            factorCount = bytes.count / count
            first = Array(bytes.prefix(count))
        }
    }

    /// Whether the whole code is right.
    func fits(_ data: NormalizedData, _ type: SignatureType, at counter: CodeCounter) -> Bool {
        codes(type, data, counter).contains { constantTimeEqual(text, Array($0.utf8)) }
    }

    /// Whether its first component is right: the one of the first factor, which covers everything but the others.
    func begins(_ data: NormalizedData, _ type: SignatureType, at counter: CodeCounter) -> Bool {
        guard let factor = type.factors.first else { return false }
        let type: SignatureType =
            switch factor {
            case .possession: .possession
            case .knowledge: .knowledge
            case .biometry: .biometry
            }
        return codes(type, data, counter).contains { alone in
            switch code.format {
            case .decimal: constantTimeEqual(first, Array(alone.utf8))
            case .base64, .wholeBase64: constantTimeEqual(first, Base64.decode(alone) ?? [])
            }
        }
    }

    /// What cannot be computed fits nothing.
    private func codes(
        _ type: SignatureType, _ data: NormalizedData, _ counter: CodeCounter
    ) -> [String] {
        (try? code.keys.codes(type, counter, data, code.format)) ?? []
    }
}
