import PlatformKit

extension PowerAuth {
    /// One turn that is kept also when it ends in a refusal: what was counted or remembered before it stays.
    ///
    /// - Parameter body: may throw any `Refusal`, which is thrown again after the transaction; it must not have written half of
    ///   something by then. Any other error rolls back.
    func exchange<Value: Sendable>(_ body: (inout Turn) throws -> Value) throws -> Value {
        let outcome = try change { turn -> Result<Value, any Error> in
            do {
                return .success(try body(&turn))
            } catch var refusal as MobileError {
                refusal.generation = try settings(in: turn.db).errorGeneration
                return .failure(refusal)
            } catch let refusal as any Refusal {
                return .failure(refusal)
            }
        }
        return try outcome.get()
    }
}
