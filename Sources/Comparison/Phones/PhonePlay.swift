/// What became of a recorded request that a phone signed or encrypted: a phone of the world makes it again.
struct PhonePlay {
    enum Outcome {
        /// The request is as our phone makes it, and has still to be sent.
        case signed
        /// Our phone sent it, and this is the answer.
        case answered(Stage.Answer)
        /// Why it cannot be made again, without a full stop: it is sent as it was recorded, and not compared.
        case impossible(String)
    }

    let outcome: Outcome
    /// What phones made there and here, such as ids that were told to them alone.
    var made: [(recorded: String, ours: String)] = []
}
