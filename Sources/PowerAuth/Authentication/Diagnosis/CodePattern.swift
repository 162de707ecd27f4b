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
        case .base64:
            let bytes = WireBase64.decode(code.code) ?? []
            factorCount = bytes.count / 16
            first = Array(bytes.prefix(16))
        }
    }

    /// Whether the whole code is right.
    func fits(_ data: NormalizedData, _ type: SignatureType, at counter: HashCounter) -> Bool {
        constantTimeEqual(text, Array(compute(type, data, counter).utf8))
    }

    /// Whether its first component is right: the one of the first factor, which covers everything but the others.
    func begins(_ data: NormalizedData, _ type: SignatureType, at counter: HashCounter) -> Bool {
        guard let factor = type.factors.first else { return false }
        let type: SignatureType =
            switch factor {
            case .possession: .possession
            case .knowledge: .knowledge
            case .biometry: .biometry
            }
        let alone = compute(type, data, counter)
        switch code.format {
        case .decimal: return constantTimeEqual(first, Array(alone.utf8))
        case .base64: return constantTimeEqual(first, Base64.decode(alone) ?? [])
        }
    }

    private func compute(
        _ type: SignatureType, _ data: NormalizedData, _ counter: HashCounter
    ) -> String {
        AuthenticationCode.compute(type, keys: code.keys, counter: counter, data: data, format: code.format)
    }
}
