/// Makes inputs from a corpus.
struct Mutator {
    let corpus: [[UInt8]]
    let dictionary: [[UInt8]]

    /// Inputs stay below this length, so that a case is quick.
    private static let longest = 8192

    func input(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = random.pick(corpus)
        // One in sixteen stays as it is, beside others of the corpus.
        while random.below(3) == 0 { bytes += random.pick(corpus) }
        if random.below(16) == 0 { return bytes }
        for _ in 0...random.below(6) { mutate(&bytes, &random) }
        return Array(bytes.prefix(Self.longest))
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let range = range(of: bytes, &random)
        switch random.below(8) {
        case 0: if !bytes.isEmpty { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        case 1: if !bytes.isEmpty { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        case 2: bytes.insert(contentsOf: random.pick(dictionary), at: range.lowerBound)
        case 3: bytes.replaceSubrange(range, with: random.pick(dictionary))
        case 4: bytes.removeSubrange(range)
        case 5:
            let other = random.pick(corpus)
            bytes.replaceSubrange(range, with: other[self.range(of: other, &random)])
        case 6:
            let piece = Array(bytes[range])
            for _ in 0...random.below(20) where bytes.count < Self.longest {
                bytes.insert(contentsOf: piece, at: range.lowerBound)
            }
        default: bytes.removeSubrange(random.below(bytes.count + 1)...)
        }
    }

    /// A part of `bytes`, short more often than long.
    private func range(of bytes: [UInt8], _ random: inout SplitMix64) -> Range<Int> {
        let start = random.below(bytes.count + 1)
        let longest = random.below(4) == 0 ? bytes.count - start : min(bytes.count - start, 8)
        return start..<start + random.below(longest + 1)
    }
}
