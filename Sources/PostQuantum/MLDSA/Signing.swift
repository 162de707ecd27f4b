import Crypto

/// How a signature is made. Source: FIPS 204, algorithm 7, with its names in brackets.
struct Signing {
    private let set: MLDSA
    private let key: [UInt8]
    private let sampling = SignatureSampling()

    /// - Parameter key: its bytes.
    init(_ set: MLDSA, _ key: [UInt8]) {
        self.set = set
        self.key = key
    }

    /// What stays the same in all attempts, transformed, and what an attempt works on.
    private struct Memory {
        /// (Â, row by row)
        let matrix: Polynomials<Int32>
        /// (s₁, s₂, t₀)
        let secrets, errors, rests: Polynomials<Int32>
        /// (y, then z)
        let mask: Polynomials<Int32>
        /// (ŷ, then products with the challenge)
        let turned: Polynomials<Int32>
        /// (w, then w - c·s₂ + c·t₀)
        let sums: Polynomials<Int32>
        /// (h)
        let hints: Polynomials<Int32>
        /// (c)
        let challenge, product: Polynomial<Int32>

        static func count(_ set: MLDSA) -> Int {
            set.rows * set.columns + 3 * set.columns + 4 * set.rows + 2
        }

        init(_ memory: Polynomials<Int32>, _ set: MLDSA) {
            let (k, l) = (set.rows, set.columns)
            matrix = memory.part(0, k * l)
            secrets = memory.part(k * l, l)
            mask = memory.part(k * l + l, l)
            turned = memory.part(k * l + 2 * l, l)
            let rest = k * l + 3 * l
            errors = memory.part(rest, k)
            rests = memory.part(rest + k, k)
            sums = memory.part(rest + 2 * k, k)
            hints = memory.part(rest + 3 * k, k)
            challenge = memory[rest + 4 * k]
            product = memory[rest + 4 * k + 1]
        }
    }

    /// - Parameter message: with its frame.
    func signature(of message: [UInt8], randomness: [UInt8]) -> [UInt8] {
        withPolynomials(Memory.count(set), of: Int32.self) { polynomials in
            let memory = Memory(polynomials, set)
            expand(memory)
            let digest = sampling.hash([Array(key[64..<128]), message], count: 64)
            let seed = sampling.hash([Array(key[32..<64]), randomness, digest], count: 64)
            return [UInt8](unsafeUninitializedCapacity: set.signatureCount) { bytes, written in
                guard let start = bytes.baseAddress else { return }
                var number = 0
                while !attempt(digest, seed, number, memory, to: start) { number += set.columns }
                written = set.signatureCount
            }
        }
    }

    private func expand(_ memory: Memory) {
        let (k, l) = (set.rows, set.columns)
        let (seed, width) = (Array(key[..<32]), BitPacking.count(set.secretWidth))
        for row in 0..<k {
            for column in 0..<l {
                sampling.uniform(seed, column: column, row: row, to: memory.matrix[row * l + column])
            }
        }
        key.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            let secrets = start + 128
            for column in 0..<l { readSecret(secrets + column * width, to: memory.secrets[column]) }
            for row in 0..<k { readSecret(secrets + (l + row) * width, to: memory.errors[row]) }
            for row in 0..<k {
                let rest = memory.rests[row]
                BitPacking.unpack(13, from: secrets + (l + k) * width + row * 416) {
                    rest[$0] = 1 << 12 - Int32($1)
                }
                SignatureRing.transform(rest)
            }
        }
    }

    private func readSecret(_ bytes: UnsafePointer<UInt8>, to w: Polynomial<Int32>) {
        let bound = set.secretBound
        BitPacking.unpack(set.secretWidth, from: bytes) { w[$0] = bound - Int32($1) }
        SignatureRing.transform(w)
    }

    /// One attempt, with masks from `number` on.
    ///
    /// - Returns: whether the signature may be shown; most would tell something about the key.
    private func attempt(
        _ digest: [UInt8], _ seed: [UInt8], _ number: Int, _ memory: Memory,
        to signature: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        commit(seed, number, memory)
        let upper = CommitmentHash(set).bytes { Rounding.parts(memory.sums[$0][$1]).high }
        let challenge = sampling.hash([digest, upper], count: set.challengeCount)
        sampling.challenge(challenge[...], weight: set.challengeWeight, to: memory.challenge)
        SignatureRing.transform(memory.challenge)
        guard respond(memory), hideErrors(memory), hint(memory) else { return false }
        challenge.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            signature.update(from: start, count: bytes.count)
        }
        let responses = signature + set.challengeCount
        for column in 0..<set.columns {
            let response = memory.mask[column]
            BitPacking.pack(MLDSA.maskWidth, to: responses + column * 640) {
                UInt32(bitPattern: MLDSA.maskBound - response[$0])
            }
        }
        return Hints.write(memory.hints, set, to: responses + set.columns * 640)
    }

    /// (y, and w = A·y from 0 on)
    private func commit(_ seed: [UInt8], _ number: Int, _ memory: Memory) {
        for column in 0..<set.columns {
            sampling.mask(seed, number: number + column, to: memory.mask[column])
            memory.turned[column].update(from: memory.mask[column], count: 256)
            SignatureRing.transform(memory.turned[column])
        }
        for row in 0..<set.rows {
            let sum = memory.sums[row]
            SignatureRing.multiply(memory.matrix[row * set.columns], memory.turned[0], to: sum)
            for column in 1..<set.columns {
                SignatureRing.addProduct(
                    memory.matrix[row * set.columns + column], memory.turned[column], to: sum)
            }
            SignatureRing.reduce(sum)
            SignatureRing.transformBack(sum)
            SignatureRing.makePositive(sum)
        }
    }

    /// (z = y + c·s₁)
    private func respond(_ memory: Memory) -> Bool {
        for column in 0..<set.columns {
            let response = memory.mask[column]
            multiply(memory, by: memory.secrets[column])
            for place in 0..<256 { response[place] = response[place] &+ memory.product[place] }
            SignatureRing.reduce(response)
            guard SignatureRing.isWithin(MLDSA.maskBound - set.challengeBound, response) else { return false }
        }
        return true
    }

    /// (w - c·s₂, whose lower parts must not reach far)
    private func hideErrors(_ memory: Memory) -> Bool {
        let bound = MLDSA.roundingBound - set.challengeBound
        for row in 0..<set.rows {
            let sum = memory.sums[row]
            multiply(memory, by: memory.errors[row])
            for place in 0..<256 { sum[place] = sum[place] &- memory.product[place] }
            SignatureRing.reduce(sum)
            SignatureRing.makePositive(sum)
            for place in 0..<256 where abs(Rounding.parts(sum[place]).low) >= bound { return false }
        }
        return true
    }

    /// (h: where c·t₀ changes the upper part)
    private func hint(_ memory: Memory) -> Bool {
        for row in 0..<set.rows {
            let (sum, hints) = (memory.sums[row], memory.hints[row])
            multiply(memory, by: memory.rests[row])
            SignatureRing.reduce(memory.product)
            guard SignatureRing.isWithin(MLDSA.roundingBound, memory.product) else { return false }
            for place in 0..<256 {
                var corrected = sum[place] &+ memory.product[place]
                if corrected < 0 { corrected += SignatureRing.modulus }
                if corrected >= SignatureRing.modulus { corrected -= SignatureRing.modulus }
                hints[place] =
                    Rounding.parts(corrected).high == Rounding.parts(sum[place]).high ? 0 : 1
            }
        }
        return true
    }

    private func multiply(_ memory: Memory, by factor: Polynomial<Int32>) {
        SignatureRing.multiply(memory.challenge, factor, to: memory.product)
        SignatureRing.transformBack(memory.product)
    }
}

/// The upper parts of a commitment as bytes, four bits each. Source: FIPS 204, algorithm 28.
struct CommitmentHash {
    private let set: MLDSA

    init(_ set: MLDSA) { self.set = set }

    func bytes(_ upper: (_ row: Int, _ place: Int) -> Int32) -> [UInt8] {
        PostQuantum.bytes(set.rows * 128) { start in
            for row in 0..<set.rows {
                BitPacking.pack(4, to: start + row * 128) { UInt32(bitPattern: upper(row, $0)) }
            }
        }
    }
}
