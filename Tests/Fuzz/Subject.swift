/// Something that reads bytes from strangers, and what must hold whatever they send. A new subject is a type of its own and a line
/// in `main.swift`.
protocol Subject: Sendable {
    /// As the command line calls it.
    static var name: String { get }
    /// How much memory the process may have had at any time; nil for no limit.
    static var memoryMiB: Int? { get }
    init()

    /// Inputs, good and bad, from which others are made.
    var corpus: [[UInt8]] { get }
    /// Pieces with a meaning, worth inserting anywhere.
    var dictionary: [[UInt8]] { get }

    /// Makes one. Those that have to keep a form make it themselves.
    func input(_ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8]

    /// Makes the one with this number. Those that have a list of all of them take them from it.
    func input(_ index: UInt64, _ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8]

    /// - Throws: ``Violation`` when something that must hold does not.
    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation)

    /// Cases between two looks at the clock.
    static var batch: Int { get }
}

extension Subject {
    static var memoryMiB: Int? { nil }
    static var batch: Int { 256 }

    func input(_ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8] { mutator.input(&random) }

    func input(_: UInt64, _ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8] {
        input(mutator, &random)
    }
}

struct Violation: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}
