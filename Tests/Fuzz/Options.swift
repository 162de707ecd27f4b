/// The command line: `SUBJECT [SECONDS] [--seed N] [--case N]`.
struct Options {
    let subject: String
    var seconds = 10.0
    var seed: UInt64 = 1
    /// One case alone, instead of as many as the time allows.
    var single: UInt64?

    /// `nil` when the arguments are not understood.
    init?(_ arguments: some Collection<String>) {
        guard let first = arguments.first else { return nil }
        subject = first
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "--seed":
                guard let value = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                seed = value
            case "--case":
                guard let value = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                single = value
            default:
                guard let value = Double(word), value > 0 else { return nil }
                seconds = value
            }
        }
    }
}
