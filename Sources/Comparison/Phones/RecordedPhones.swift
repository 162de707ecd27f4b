import Essentials

/// Phones of one platform in a world, in the place of those that were recorded.
protocol RecordedPhones: AnyObject {
    /// Recorded public keys and ours, where messages show them.
    var keys: [(recorded: String, ours: String)] { get }

    /// - Parameters:
    ///   - request: with the values of this world in it; gets what our phone puts into it.
    ///   - known: what the recording says otherwise than this world.
    ///   - now: the time of the world.
    /// - Returns: nil for what no such phone has to do with.
    /// - Throws: what a stage throws.
    func play(
        _ exchange: Exchange, _ place: Bases.Place, _ request: inout PlayedRequest, _ known: Substitution,
        now: Date, on stage: Stage
    ) throws -> PhonePlay?

    /// Takes what the world answered.
    func learn(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer)
}

/// Why a request cannot be made again, without a full stop.
struct PhoneObstacle: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

extension RecordedPhones {
    var keys: [(recorded: String, ours: String)] { [] }

    /// Nothing, where phones read what they have to know in calls of their own.
    func learn(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer) {}
}
