import Crypto

/// How a signature is checked. Source: FIPS 204, algorithm 8, with its names in brackets.
struct Verification {
    private let set: MLDSA
    private let key: [UInt8]
    private let sampling = SignatureSampling()

    /// - Parameter key: its bytes.
    init(_ set: MLDSA, _ key: [UInt8]) {
        self.set = set
        self.key = key
    }

    /// - Parameters:
    ///   - signature: of the right length.
    ///   - message: with its frame.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        let (k, l) = (set.rows, set.columns)
        return withPolynomials(l + 2 * k + 3, of: Int32.self) { memory in
            let (responses, sums, hints) = (memory.part(0, l), memory.part(l, k), memory.part(l + k, k))
            let (challenge, entry, product) = (
                memory[l + 2 * k], memory[l + 2 * k + 1], memory[l + 2 * k + 2]
            )
            guard read(signature, responses, hints) else { return false }
            let told = signature[..<set.challengeCount]
            sampling.challenge(told, weight: set.challengeWeight, to: challenge)
            SignatureRing.transform(challenge)
            for column in 0..<l { SignatureRing.transform(responses[column]) }
            for row in 0..<k {
                sum(row, responses, entry, to: sums[row])
                readKey(row, to: entry)
                SignatureRing.multiply(challenge, entry, to: product)
                for place in 0..<256 { sums[row][place] = sums[row][place] &- product[place] }
                SignatureRing.reduce(sums[row])
                SignatureRing.transformBack(sums[row])
                SignatureRing.makePositive(sums[row])
            }
            let upper = CommitmentHash(set).bytes {
                Rounding.high(sums[$0][$1], isHinted: hints[$0][$1] == 1)
            }
            let digest = sampling.hash([sampling.hash([key], count: 64), message], count: 64)
            return constantTimeEqual(
                sampling.hash([digest, upper], count: set.challengeCount), Array(told))
        }
    }

    /// (z and h)
    ///
    /// - Returns: `false` for what no signature has.
    private func read(
        _ signature: [UInt8], _ responses: Polynomials<Int32>, _ hints: Polynomials<Int32>
    ) -> Bool {
        signature.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return false }
            let first = start + set.challengeCount
            for column in 0..<set.columns {
                let response = responses[column]
                BitPacking.unpack(MLDSA.maskWidth, from: first + column * 640) {
                    response[$0] = MLDSA.maskBound - Int32($1)
                }
                guard SignatureRing.isWithin(MLDSA.maskBound - set.challengeBound, response) else {
                    return false
                }
            }
            return Hints.read(first + set.columns * 640, set, to: hints)
        }
    }

    /// (Â·ẑ)
    private func sum(
        _ row: Int, _ responses: Polynomials<Int32>, _ entry: Polynomial<Int32>, to sum: Polynomial<Int32>
    ) {
        let seed = Array(key[..<32])
        for column in 0..<set.columns {
            sampling.uniform(seed, column: column, row: row, to: entry)
            SignatureRing.addProduct(entry, responses[column], to: sum)
        }
    }

    /// (t₁·2¹³)
    private func readKey(_ row: Int, to w: Polynomial<Int32>) {
        key.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            BitPacking.unpack(10, from: start + 32 + row * 320) { w[$0] = Int32($1) << 13 }
        }
        SignatureRing.transform(w)
    }
}
