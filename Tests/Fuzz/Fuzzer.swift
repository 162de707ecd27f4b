#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Runs one subject. Case number N of a seed is the same on every machine, alone or among others.
struct Fuzzer: Sendable {
    let subject: any Subject
    let subjectName: String
    private let memoryMiB: Int?
    let seed: UInt64
    private let mutator: Mutator

    init(_ type: any Subject.Type, seed: UInt64) {
        subject = type.init()
        subjectName = type.name
        memoryMiB = type.memoryMiB
        self.seed = seed
        mutator = Mutator(corpus: subject.corpus, dictionary: subject.dictionary)
    }

    /// - Returns: whether everything held.
    func run(seconds: Double, watch: Watch) -> Bool {
        let start = ContinuousClock.now
        var number: UInt64 = 0
        var nextReport = 2.0
        while true {
            let elapsed = (ContinuousClock.now - start) / .seconds(1)
            if elapsed >= nextReport || elapsed >= seconds {
                report(number, elapsed)
                nextReport += 2
            }
            if elapsed >= seconds { return true }
            for _ in 0..<type(of: subject).batch {
                watch.begin(number)
                watch.restart()
                guard check(number) else { return false }
                number += 1
            }
            guard checkMemory(number) else { return false }
        }
    }

    /// The most that was ever held, by the end of 256 cases.
    private func checkMemory(_ number: UInt64) -> Bool {
        guard let memoryMiB, Memory.peakMiB > memoryMiB else { return true }
        tell(
            "\(Memory.peakMiB) MiB were held, more than \(memoryMiB), in the last 256 cases or before",
            number - 1)
        return false
    }

    /// Runs one case and tells what is wrong with it.
    func check(_ number: UInt64) -> Bool {
        var random = generator(number)
        let input = subject.input(index(number), mutator, &random)
        do {
            try subject.check(input, &random)
            return true
        } catch {
            tell(error.sentence, number)
            return false
        }
    }

    /// Prints what happened, how to have it again, and the input.
    func tell(_ what: String, _ number: UInt64) {
        var random = generator(number)
        let input = subject.input(index(number), mutator, &random)
        let hex = input.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        print("\(subjectName): \(what)")
        print("again: Fuzz \(subjectName) --seed \(seed) --case \(number)")
        print("input, \(input.count) bytes: \(hex)")
        fflush(nil)
    }

    /// Another seed begins elsewhere in a list.
    private func index(_ number: UInt64) -> UInt64 { number &+ (seed &- 1) &* 0x9E37_79B9 }

    private func generator(_ number: UInt64) -> SplitMix64 {
        var mixed = SplitMix64(seed: seed)
        return SplitMix64(seed: mixed.next() ^ (number &* 0xD134_2543_DE82_EF95))
    }

    private func report(_ number: UInt64, _ elapsed: Double) {
        let rate = Int(Double(number) / max(elapsed, 0.001))
        print(
            "\(subjectName): \(number) cases in \(Int(elapsed.rounded())) s, \(rate) a second, at most "
                + "\(Memory.peakMiB) MiB, seed \(seed)")
        fflush(nil)
    }
}
