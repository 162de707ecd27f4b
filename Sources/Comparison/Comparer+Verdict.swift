import Essentials

extension Comparer {
    func verdict(on pair: AnswerPair, _ play: inout Play) -> Finding.Verdict {
        let (exchange, place) = (pair.exchange, pair.place)
        let thread = threads.thread(of: exchange)
        if let reason = unreadable(pair) {
            // What is refused in both may have been refused for another reason there, and have changed something; so may a verdict in an answer.
            if !pair.differences.isEmpty || pair.isRefusedThere { play.taint(thread, exchange.number) }
            return .notComparable(reason)
        }
        if pair.differences.isEmpty {
            play.surroundings.note(exchange, place, ours: pair.ours)
            return exchange.response.isCut
                ? .notComparable("the recording has not all of the answer's body") : .agrees
        }
        if let reason = play.surroundings.reason(
            exchange, place, ours: pair.ours, unanswered: pair.unanswered)
        {
            play.taint(platform: place.mount, exchange.number)
            return .notComparable(reason)
        }
        if let reason = harmless(pair) { return .notComparable(reason) }
        let earlier = pair.request.follows ?? play.tainted(thread, place.mount)
        // What the first difference changes is not told again at each later request.
        if earlier == nil, pair.ours.status != exchange.response.status {
            play.taint(thread, exchange.number)
        }
        if let rival = pair.rival {
            return .notComparable(
                "request #\(rival) was under way at the same time, and which of them was taken first the recording does not tell"
            )
        }
        if let earlier { return .follows(earlier) }
        if pair.isRefusedHere, !pair.isRefusedThere,
            let reason = unknown(exchange, place, pair.request) ?? play.guessed(place.mount)
        {
            return .notComparable(reason)
        }
        return .differs(pair.differences)
    }

    /// Why a difference says nothing, where it changes nothing either.
    private func harmless(_ pair: AnswerPair) -> String? {
        if pair.request.hasRefusedCode, pair.isRefusedHere, pair.isRefusedThere {
            return
                "its code was refused there, and the recording does not tell whether it was wrong or too late"
        }
        return Surroundings.reason(of: pair.differences, pair.place)
    }

    /// Another request of the same time that the recorded service may have taken on the other side of this one: of the same route, and answered as
    /// ours answers this one; and for a read with another status, any that changes something.
    func rival(
        _ exchange: Exchange, _ place: Bases.Place, _ comparison: AnswerComparison, _ first: Stage.Answer,
        _ second: Stage.Answer
    ) -> Int? {
        let route = routeName(exchange.request.method, place)
        return atOnce.others(of: exchange).first { other in
            guard let others = bases.place(of: other.request.url), others.mount == place.mount else {
                return false
            }
            if exchange.isRead { return first.status != exchange.response.status }
            return routeName(other.request.method, others) == route
                && comparison.differences(other, others, first, second).isEmpty
        }?.number
    }

    /// Why only the recorded service knew what a request is about.
    private func unknown(_ exchange: Exchange, _ place: Bases.Place, _ request: PlayedRequest) -> String? {
        if pictures.mayShow(what: exchange, place.mount) {
            return "it carries what no answer says, perhaps a code in a picture, which is not read here"
        }
        return origins.obstacle(exchange, place, sent: request)
    }

    /// Why the answer to a request is not to be compared: it carries what only the recorded device could make.
    private func unreadable(_ pair: AnswerPair) -> String? {
        let request = pair.request
        if let obstacle = request.obstacle { return obstacle }
        if let doubt = request.doubt, pair.isRefusedThere, !pair.isRefusedHere { return doubt }
        if request.isMadeByPhone { return nil }
        let proof = DeviceProof.words(of: pair.exchange.request, pair.place, besides: request.signed)
        let foreign =
            request.hasForeignCode && pair.isRefusedHere
            ? "a code that nobody was sent, perhaps of an authenticator app" : nil
        return (proof ?? foreign).map { "it carries \($0), and the recording does not have the key" }
    }
}
