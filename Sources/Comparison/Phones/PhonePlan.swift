/// What a recording tells of the phones in it, whose keys and PINs it does not have.
struct PhonePlan: Sendable {
    private let powerAuth: PowerAuthPlan
    private let mPin: MPinPlan
    private let nextAuth: NextAuthPlan
    private let onegini: OneginiPlan

    init(_ exchanges: [Exchange], _ bases: Bases) {
        powerAuth = PowerAuthPlan(exchanges, bases)
        mPin = MPinPlan(exchanges, bases)
        nextAuth = NextAuthPlan(exchanges, bases)
        onegini = OneginiPlan(exchanges, bases)
    }

    /// New ones for a world.
    func phones() -> [any RecordedPhones] {
        [PowerAuthPhones(powerAuth), MPinPhones(mPin), NextAuthPhones(nextAuth), OneginiPhones(onegini)]
    }
}
