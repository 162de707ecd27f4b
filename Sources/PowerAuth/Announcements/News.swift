import SQLite

/// What callbacks tell, and pushes show, after the transaction that made it true.
enum News: Sendable, Equatable {
    /// An activation was made or changed its state, or a wrong activation OTP came.
    case activation(Activation)
    case operationCreated(Operation, isSilent: Bool)
    /// Any later change, also a failed approval that leaves it pending.
    case operation(Operation)
    /// A message that a back end sends to a user's devices.
    case push(PushMessage)
}

extension PowerAuth {
    /// Hands news to callbacks and pushes. Never inside a transaction.
    func announce(_ news: [News]) throws {
        guard !news.isEmpty else { return }
        try callBack(about: news)
        for item in news { try push(about: item) }
    }
}
