/// What a recording tells of the phones in it, whose keys and PINs it does not have.
struct PhonePlan: Sendable {
    private let powerAuth: PowerAuthPlan

    init(_ exchanges: [Exchange], _ bases: Bases) {
        powerAuth = PowerAuthPlan(exchanges, bases)
    }

    /// New ones for a world.
    func phones() -> [any RecordedPhones] {
        [PowerAuthPhones(powerAuth)]
    }
}
