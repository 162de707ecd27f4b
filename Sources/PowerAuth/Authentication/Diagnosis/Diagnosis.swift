/// Finds out what a wrong code would have been right for: one thing is varied at a time, over all counter values that count.
///
/// The component of the first factor covers data and counter but no PIN, so that a wrong PIN is known from everything else.
struct Diagnosis {
    /// How far beyond the window a device is looked for.
    static let stepsBeyond = 500
    /// Of how many bytes the data may be for all to be tried, which hashes them some thousand times; of more, only the PIN is.
    static let dataLimit = 32 * 1024

    private let code: WrongCode
    private let pattern: CodePattern
    /// The counter values at which the code was looked for.
    private let window: [CodeCounter]

    init(_ code: WrongCode) {
        self.code = code
        pattern = CodePattern(code)
        var window: [CodeCounter] = []
        var counter = code.counter
        for _ in 0..<max(code.lookAhead, 0) {
            window.append(counter)
            counter = counter.next
        }
        self.window = window
    }

    /// At least one, each with a capital and a full stop.
    var sentences: [String] {
        let head = "The authentication code of the activation \(code.activation) is wrong"
        guard let type = code.types.first, let claim = code.claims.first else { return [head + "."] }
        let wrong =
            type.factors.count != pattern.factorCount
            ? "\(head): it has \(pattern.factorCount) components, \(type.rawValue) has \(type.factors.count)."
            : nil
        let isSmall = code.claims.allSatisfy { $0.normalized.bytes.count <= Self.dataLimit }
        if isSmall, let former = formerConstruction() { return ["\(head): \(former)."] }
        let found =
            isSmall ? otherFactors() ?? wrongFactor() ?? otherData(claim) ?? otherCounter() : wrongFactor()
        if let found {
            return wrong.map { [$0, found.prefix(1).uppercased() + found.dropFirst() + "."] }
                ?? ["\(head): \(found)."]
        }
        if let wrong { return [wrong] }
        return [
            "\(head), and nothing that was tried makes it right: \(isSmall ? Self.tried : Self.triedOfMuch)."
        ]
    }

    private static let tried =
        "other factors, resources, methods, forms of the body, application secrets and counter values. Compare the body byte by "
        + "byte and the uriId letter by letter with what the device signed; only when both are the same, the device has other keys, "
        + "such as those of an activation before"

    private static let triedOfMuch =
        "another PIN alone, since it covers more than \(dataLimit) bytes; a shorter request is looked into in every way"

    /// Protocol 4.0 had another construction before its release.
    private func formerConstruction() -> String? {
        guard case .v4(let keys) = code.keys, let bytes = WireBase64.decode(code.code) else { return nil }
        let isFormer = window.contains { counter in
            guard case .hashed(let counter) = counter else { return false }
            return code.claims.contains { claim in
                code.types.flatMap(keys.alternatives).contains { keys in
                    [16, 32].contains { count in
                        let former = try? V4.Code.formerComponents(
                            keys, counter, claim.normalized, count: count)
                        return former.map { Array($0.joined()) == bytes } ?? false
                    }
                }
            }
        }
        return isFormer && code.types != [.possession]
            ? "it was made as before the release, in June 2025: the keys of its factors are nested, expected a chain"
            : nil
    }

    /// The data is right, the factors are others than claimed.
    private func otherFactors() -> String? {
        for claim in code.claims {
            for counter in window {
                let found = SignatureType.allCases.first { type in
                    !code.types.contains(type) && pattern.fits(claim.normalized, type, at: counter)
                }
                guard let found else { continue }
                let claimed = code.types.map(\.rawValue).joined(separator: " or ")
                return "it was made with \(found.rawValue), expected \(claimed)"
            }
        }
        return nil
    }

    /// Everything is right but the second factor.
    private func wrongFactor() -> String? {
        for (index, claim) in code.claims.enumerated() {
            for type in code.types where type.factors.count > 1 {
                guard window.contains(where: { pattern.begins(claim.normalized, type, at: $0) }) else {
                    continue
                }
                return wrongFactor(type)
                    + (code.claims.count > 1
                        ? "; form \(index + 1) of \(code.claims.count) of the data is right" : "")
            }
        }
        return nil
    }

    private func wrongFactor(_ type: SignatureType) -> String {
        if type.factors.contains(.biometry), code.keys.isWithoutBiometry {
            return
                "biometry is not enabled: the device confirmed the activation without it, or removed it since; everything else of the "
                + "code is right"
        }
        let factor =
            type.factors.contains(.knowledge)
            ? "the PIN is wrong (the knowledge key is not the activation's)"
            : "the biometry key is not the activation's"
        return factor + "; possession, counter, method, uriId, body, nonce and application secret are right"
    }

    /// One part of the data is another.
    private func otherData(_ claim: SignedData) -> String? {
        guard let type = code.types.first else { return nil }
        for variation in Variations(of: claim, in: code).all {
            let data = variation.data.normalized
            guard let counter = window.first(where: { pattern.begins(data, type, at: $0) }) else { continue }
            let isWhole = code.types.contains { pattern.fits(data, $0, at: counter) }
            return variation.sentence + (isWhole ? "" : "; and " + wrongFactor(type))
        }
        return nil
    }

    /// The counter is behind or far ahead.
    private func otherCounter() -> String? {
        guard let type = code.types.first else { return nil }
        let data = code.claims.map(\.normalized)
        func begins(at counter: CodeCounter) -> Bool {
            data.contains { pattern.begins($0, type, at: counter) }
        }
        if let mark = code.mark, var counter = try? CodeCounter(mark.data) {
            for number in mark.counter..<max(code.counterNumber, mark.counter) {
                if begins(at: counter) {
                    return
                        "it is right for the counter value \(number), which is used up; \(code.counterNumber) is expected "
                        + "next. The request was sent or verified twice, or the device was restored from a backup"
                }
                counter = counter.next
            }
        }
        guard var counter = window.last?.next else { return nil }
        for step in window.count..<(window.count + Self.stepsBeyond) {
            if begins(at: counter) {
                return
                    "the device is \(step) counter values ahead, and codes are looked for up to \(window.count - 1) ahead; "
                    + "the status of the activation brings both together"
            }
            counter = counter.next
        }
        return nil
    }
}
