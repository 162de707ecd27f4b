/// What a recording tells of the phones with PowerAuth in it, whose keys and PINs it does not have.
///
/// Which activation an exchange of keys made shows in what the phone sends later; for whom it was, and how it was called, in what back ends
/// hear of it.
struct PowerAuthPlan: Sendable {
    /// An exchange of keys that was accepted.
    struct Birth: Sendable {
        /// Nil where nothing names it later.
        var activation: String?
        /// The code that the phone read.
        var code: String?
        var otp: String?
        var user: String?
        var name: String?
        var platform: String?
        var deviceInfo: String?
        /// Of protocol 4.0, as its later requests name it.
        var suite: String?
    }

    /// By the number of the exchange.
    private(set) var births: [Int: Birth] = [:]
    /// The exchange that made a token, by the id of the token.
    private(set) var tokens: [String: Int] = [:]
    /// The activation of a token, by the number of the exchange that made it.
    private(set) var makers: [Int: String] = [:]
    /// By the text of the field.
    private(set) var checks: [String: PowerAuthReading.Check] = [:]
    /// Suites of protocol 4.0, by the ids of temporary keys.
    let suites: [String: String]
    private let facts: [String: PowerAuthFacts]

    init(_ exchanges: [Exchange], _ bases: Bases) {
        var reading = PowerAuthReading()
        for exchange in exchanges {
            if let place = bases.place(of: exchange.request.url) { reading.read(exchange, place) }
        }
        (facts, checks, suites) = (reading.facts, reading.checks, reading.keySuites)
        for number in reading.creations { births[number] = birth(number, reading) }
        assignTokens(reading)
    }

    /// The name that an activation got at an exchange.
    func name(of activation: String, after number: Int) -> String? {
        facts[activation]?.names.first { $0.number > number }?.name
    }

    /// Among the activations that show first behind it, one whose code was told before; else one that never had a code.
    private func birth(_ number: Int, _ reading: PowerAuthReading) -> Birth {
        let taken = Set(births.values.compactMap(\.activation))
        func isTold(_ id: String) -> Bool { facts[id]?.code.map { $0.number < number } ?? false }
        let later = reading.mentions.filter { id, first in
            first > number && !taken.contains(id) && (facts[id]?.code == nil || isTold(id))
        }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        let silent = facts.keys.filter {
            isTold($0) && !taken.contains($0) && reading.mentions[$0] == nil
        }.max { (facts[$0]?.code?.number ?? 0, $0) < (facts[$1]?.code?.number ?? 0, $1) }
        let unheard = facts.filter { id, told in
            told.code == nil && !taken.contains(id) && reading.mentions[id] == nil
                && told.heard.map { $0 > number } ?? false
        }.min { ($0.value.heard ?? 0, $0.key) < ($1.value.heard ?? 0, $1.key) }?.key
        guard let id = later.first(where: isTold) ?? silent ?? later.first ?? unheard else { return Birth() }
        let told = facts[id] ?? PowerAuthFacts()
        return Birth(
            activation: id, code: isTold(id) ? told.code?.text : nil, otp: told.code?.otp, user: told.user,
            name: name(of: id, after: number), platform: told.platform, deviceInfo: told.deviceInfo,
            suite: reading.activationSuites[id])
    }

    /// Those first of which the activation is known. One after the other where each was used, else the newest before its first use.
    private mutating func assignTokens(_ reading: PowerAuthReading) {
        makers = Dictionary(reading.tokenCreations.map { ($0.number, $0.activation) }) { first, _ in first }
        let uses = reading.tokenUses.sorted { one, other in
            func order(_ use: (key: String, value: PowerAuthReading.TokenUse)) -> (Int, Int, String) {
                (use.value.activation == nil ? 1 : 0, use.value.number, use.key)
            }
            return order(one) < order(other)
        }
        let isEachUsed = uses.count == reading.tokenCreations.count
        var free = reading.tokenCreations
        for (id, use) in uses {
            let fitting = free.indices.filter { index in
                free[index].number < use.number
                    && (use.activation == nil || use.activation == free[index].activation)
                    && (!use.needsTwoFactors || free[index].factors.contains("_"))
            }
            guard let index = isEachUsed ? fitting.first : fitting.last else { continue }
            tokens[id] = free.remove(at: index).number
        }
    }
}
