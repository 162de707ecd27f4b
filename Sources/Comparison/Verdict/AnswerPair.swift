/// An answer of ours beside the recorded one.
struct AnswerPair {
    let exchange: Exchange
    let place: Bases.Place
    let request: PlayedRequest
    let ours: Stage.Answer
    let differences: [Difference]
    /// Whose answer the request waited for in vain.
    let unanswered: String?
    /// A request of the same time that may have been taken on the other side of this one.
    let rival: Int?

    var isRefusedThere: Bool { exchange.response.status >= 400 }
    var isRefusedHere: Bool { ours.status >= 400 }
}
