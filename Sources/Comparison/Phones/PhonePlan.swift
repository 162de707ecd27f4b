/// What a recording tells of the phones in it, whose keys and PINs it does not have.
struct PhonePlan: Sendable {
    private let powerAuth: PowerAuthPlan
    private let nextAuth: NextAuthPlan

    init(_ exchanges: [Exchange], _ bases: Bases) {
        powerAuth = PowerAuthPlan(exchanges, bases)
        nextAuth = NextAuthPlan(exchanges, bases)
    }

    /// New ones for a world.
    func phones() -> [any RecordedPhones] {
        [PowerAuthPhones(powerAuth), NextAuthPhones(nextAuth)]
    }
}
