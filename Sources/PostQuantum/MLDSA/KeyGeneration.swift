import Crypto

/// How a seed becomes a key pair. Source: FIPS 204, algorithms 6, 22 and 24.
struct KeyGeneration {
    let set: MLDSA
    private let sampling = SignatureSampling()

    init(_ set: MLDSA) { self.set = set }

    func keyPair(_ seed: [UInt8]) -> (signing: [UInt8], verification: MLDSA.VerificationKey) {
        let (k, l) = (set.rows, set.columns)
        let all = sampling.hash([seed, [UInt8(k), UInt8(l)]], count: 128)
        let (matrix, secret) = (Array(all[..<32]), Array(all[32..<96]))
        return withPolynomials(2 * l + 2 * k + 1, of: Int32.self) { memory in
            let (secrets, turned, sums) = (
                memory.part(0, l + k), memory.part(l + k, l), memory.part(2 * l + k, k)
            )
            for number in 0..<(l + k) {
                sampling.bounded(set.secretBound, secret, number: number, to: secrets[number])
            }
            for column in 0..<l {
                turned[column].update(from: secrets[column], count: 256)
                SignatureRing.transform(turned[column])
            }
            for row in 0..<k {
                sum(row, matrix, turned, memory[2 * l + 2 * k], to: sums[row])
                for place in 0..<256 { sums[row][place] += secrets[l + row][place] }
                SignatureRing.reduce(sums[row])
                SignatureRing.makePositive(sums[row])
            }
            let verification = MLDSA.VerificationKey(made: matrix + upper(sums), set)
            let hash = sampling.hash([verification.bytes], count: 64)
            return (matrix + Array(all[96...]) + hash + packed(secrets) + lower(sums), verification)
        }
    }

    private func sum(
        _ row: Int, _ seed: [UInt8], _ turned: Polynomials<Int32>, _ entry: Polynomial<Int32>,
        to sum: Polynomial<Int32>
    ) {
        for column in 0..<set.columns {
            sampling.uniform(seed, column: column, row: row, to: entry)
            SignatureRing.addProduct(entry, turned[column], to: sum)
        }
        SignatureRing.reduce(sum)
        SignatureRing.transformBack(sum)
    }

    private func packed(_ secrets: Polynomials<Int32>) -> [UInt8] {
        let count = BitPacking.count(set.secretWidth)
        return PostQuantum.bytes(secrets.count * count) { start in
            for number in 0..<secrets.count {
                BitPacking.pack(set.secretWidth, to: start + number * count) {
                    UInt32(bitPattern: set.secretBound - secrets[number][$0])
                }
            }
        }
    }

    private func upper(_ sums: Polynomials<Int32>) -> [UInt8] {
        PostQuantum.bytes(sums.count * 320) { start in
            for row in 0..<sums.count {
                BitPacking.pack(10, to: start + row * 320) {
                    UInt32(bitPattern: Rounding.byPower(sums[row][$0]).high)
                }
            }
        }
    }

    private func lower(_ sums: Polynomials<Int32>) -> [UInt8] {
        PostQuantum.bytes(sums.count * 416) { start in
            for row in 0..<sums.count {
                BitPacking.pack(13, to: start + row * 416) {
                    UInt32(bitPattern: 1 << 12 - Rounding.byPower(sums[row][$0]).low)
                }
            }
        }
    }
}
