import PlatformKit

extension PowerAuth {
    /// One turn of an API that devices call. What it checks first, it keeps: see ``Turn/keep()``.
    func exchange<Value: Sendable>(_ body: (inout Turn) throws -> Value) throws -> Value {
        try change { turn in
            do {
                return try body(&turn)
            } catch var refusal as MobileError {
                refusal.generation = try settings(in: turn.db).errorGeneration
                throw refusal
            }
        }
    }
}
