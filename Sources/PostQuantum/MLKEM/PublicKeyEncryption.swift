import Crypto

/// K-PKE, the encryption inside of ML-KEM. Source: FIPS 203 §5.
struct PublicKeyEncryption {
    let set: MLKEM
    private let sampling = KEMSampling()

    init(_ set: MLKEM) { self.set = set }

    /// Algorithm 13: the encoded vector and the seed of the matrix, one after the other, and the encoded secret.
    func generateKey(_ seed: [UInt8]) -> (encryption: [UInt8], decryption: [UInt8]) {
        let k = set.rank
        let both = SHA3.bits512(seed + [UInt8(k)])
        let (matrixSeed, noiseSeed) = (Array(both[..<32]), Array(both[32...]))
        return withPolynomials(2 * k + 1, of: UInt32.self) { memory in
            let (secret, sums, entry) = (memory.part(0, k), memory.part(k, k), memory[2 * k])
            noiseSeed.withUnsafeBufferPointer { noise in
                for row in 0..<k { sample(noise, row, to: secret[row]) }
                for row in 0..<k { sample(noise, k + row, to: sums[row]) }
            }
            matrixSeed.withUnsafeBufferPointer { seed in
                for row in 0..<k {
                    for column in 0..<k {
                        sampling.uniform(seed, column, row, to: entry)
                        KEMRing.addProduct(entry, secret[column], to: sums[row])
                    }
                    KEMRing.reduce(sums[row])
                }
            }
            return (encoded(sums) + matrixSeed, encoded(secret))
        }
    }

    /// Algorithm 14. The key has passed ``MLKEM/EncapsulationKey/init(_:_:)``, `message` and `randomness` have 32 bytes.
    func encrypt(_ message: [UInt8], to key: [UInt8], randomness: [UInt8]) -> [UInt8] {
        let k = set.rank
        return withPolynomials(2 * k + 3, of: UInt32.self) { memory in
            let (mask, vector) = (memory.part(0, k), memory.part(k, k))
            let (last, noise, entry) = (memory[2 * k], memory[2 * k + 1], memory[2 * k + 2])
            return key.withUnsafeBufferPointer { key in
                randomness.withUnsafeBufferPointer { seed in
                    for row in 0..<k { sample(seed, row, to: mask[row]) }
                    multiply(mask, by: key, to: vector, last, entry)
                    for row in 0..<k {
                        sampling.small(seed, number: k + row, to: noise)
                        KEMRing.add(noise, to: vector[row])
                    }
                    sampling.small(seed, number: 2 * k, to: noise)
                    KEMRing.add(noise, to: last)
                }
                message.withUnsafeBufferPointer { bits in
                    for place in 0..<256 {
                        // A bit is one half of the modulus, rounded up, or nothing.
                        let bit = UInt32(bits[place >> 3] >> UInt8(place & 7) & 1)
                        last[place] = (last[place] &+ bit &* 1665) % KEMRing.modulus
                    }
                }
                return ciphertext(vector, last)
            }
        }
    }

    /// Algorithm 15: the message of 32 bytes. The sizes of both are right.
    func decrypt(_ ciphertext: [UInt8], with key: ArraySlice<UInt8>) -> [UInt8] {
        let (k, width) = (set.rank, set.compression)
        return withPolynomials(4, of: UInt32.self) { memory in
            let (part, secret, product, last) = (memory[0], memory[1], memory[2], memory[3])
            ciphertext.withUnsafeBufferPointer { ciphertext in
                key.withUnsafeBufferPointer { key in
                    guard let bytes = ciphertext.baseAddress, let key = key.baseAddress else { return }
                    for row in 0..<k {
                        KEMCoding.decompress(
                            part, width.vector, from: bytes + row * BitPacking.count(width.vector))
                        KEMRing.transform(part)
                        // Whether it is below the modulus was seen when the key was read.
                        _ = KEMCoding.read(secret, from: key + row * 384)
                        KEMRing.addProduct(secret, part, to: product)
                    }
                    KEMCoding.decompress(last, width.last, from: bytes + k * BitPacking.count(width.vector))
                }
            }
            KEMRing.reduce(product)
            KEMRing.transformBack(product)
            for place in 0..<256 {
                last[place] = (last[place] &+ KEMRing.modulus &- product[place]) % KEMRing.modulus
            }
            return bytes(32) { KEMCoding.compress(last, 1, to: $0) }
        }
    }

    /// The product of the transposed matrix and the vector, and that of the key's vector and it.
    private func multiply(
        _ mask: Polynomials<UInt32>, by key: UnsafeBufferPointer<UInt8>, to vector: Polynomials<UInt32>,
        _ last: Polynomial<UInt32>, _ entry: Polynomial<UInt32>
    ) {
        let k = set.rank
        guard let start = key.baseAddress else { return }
        let seed = UnsafeBufferPointer(rebasing: key[(384 * k)...])
        for row in 0..<k {
            for column in 0..<k {
                sampling.uniform(seed, row, column, to: entry)
                KEMRing.addProduct(entry, mask[column], to: vector[row])
            }
            KEMRing.reduce(vector[row])
            KEMRing.transformBack(vector[row])
        }
        for row in 0..<k {
            _ = KEMCoding.read(entry, from: start + row * 384)
            KEMRing.addProduct(entry, mask[row], to: last)
        }
        KEMRing.reduce(last)
        KEMRing.transformBack(last)
    }

    private func sample(_ seed: UnsafeBufferPointer<UInt8>, _ number: Int, to f: Polynomial<UInt32>) {
        sampling.small(seed, number: number, to: f)
        KEMRing.transform(f)
    }

    private func encoded(_ vector: Polynomials<UInt32>) -> [UInt8] {
        bytes(384 * set.rank) { start in
            for row in 0..<set.rank { KEMCoding.write(vector[row], to: start + row * 384) }
        }
    }

    private func ciphertext(_ vector: Polynomials<UInt32>, _ last: Polynomial<UInt32>) -> [UInt8] {
        let (k, width) = (set.rank, set.compression)
        return bytes(set.ciphertextCount) { start in
            for row in 0..<k {
                KEMCoding.compress(
                    vector[row], width.vector, to: start + row * BitPacking.count(width.vector))
            }
            KEMCoding.compress(last, width.last, to: start + k * BitPacking.count(width.vector))
        }
    }
}

/// Bytes that `fill` writes, all of them.
func bytes(_ count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { memory, written in
        guard let start = memory.baseAddress else { return }
        fill(start)
        written = count
    }
}
