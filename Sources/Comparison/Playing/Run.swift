import Essentials
import HTTP

/// How far one run in a world has come.
struct Run {
    var substitution: Substitution
    var passkeys = Passkeys()
    /// The time of the world.
    var now = Date(timeIntervalSince1970: 0)
    /// Seconds that the world is ahead of the recording.
    let ahead: Double
    private let proofs: DPoPProofs
    private let phones: [any RecordedPhones]

    init(
        addresses: [(recorded: String, ours: String)], _ exchanges: [Exchange], _ plan: PhonePlan,
        ahead: Double
    ) {
        self.ahead = ahead
        (substitution, proofs) = (Substitution(addresses: addresses), DPoPProofs(exchanges))
        phones = plan.phones()
        for (recorded, ours) in proofs.thumbprints + phones.flatMap(\.keys) {
            substitution.learn(made: recorded, ours)
        }
    }

    /// Takes what the world answered.
    mutating func learn(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer) {
        passkeys.learn(ours: ours.body, recorded: exchange.response.body)
        for phones in phones { phones.learn(exchange, place, ours: ours) }
    }

    /// Sends a request with what keys of ours sign in the place of a device's.
    ///
    /// - Throws: what a stage throws; not that its authenticator or a phone refuses.
    mutating func answer(
        _ request: inout PlayedRequest, of exchange: Exchange, _ place: Bases.Place, on stage: Stage
    ) throws -> Stage.Answer {
        try signAgain(&request, exchange, on: stage)
        for phones in phones {
            guard let play = try phones.play(exchange, place, &request, substitution, now: now, on: stage)
            else { continue }
            for (recorded, ours) in play.made { substitution.learn(made: recorded, ours) }
            switch play.outcome {
            case .signed: request.isMadeByPhone = true
            case .impossible(let reason): request.obstacle = reason
            case .answered(let answer):
                request.isMadeByPhone = true
                return answer
            }
        }
        return try stage.send(request.method, request.url, request.headers, request.body)
    }

    private mutating func signAgain(
        _ request: inout PlayedRequest, _ exchange: Exchange, on stage: Stage
    ) throws {
        let recorded = exchange.request
        let ours = request.headers.dpopToken
        let tokens = recorded.headers.dpopToken.flatMap { theirs in ours.map { (theirs, $0) } }
        if let proof = request.headers["DPoP"], let again = proofs.again(proof, tokens: tokens) {
            request.sign(field: "DPoP", again, DeviceProof.dpop)
        }
        // What is no JSON has no WebAuthn answer.
        guard passkeys.isAsked, let json = SpelledJSON(request.body), let there = SpelledJSON(recorded.body)
        else { return }
        do {
            let isRefused = exchange.response.status >= 400
            guard
                let again = try passkeys.again(json, recorded: there, isRefused: isRefused, from: stage)
            else { return }
            substitution.learn(made: again.recordedID, again.ourID)
            request.doubt = again.doubt
            request.sign(body: Array(again.body.text.utf8), DeviceProof.webAuthn)
        } catch is Unsendable {
            // It is sent as it was recorded, and not compared.
        }
    }
}

extension Headers {
    /// The access token of a request with a proof. Source: RFC 9449 §7.1.
    fileprivate var dpopToken: String? {
        guard let parts = self["Authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            String(parts[0]).equalsIgnoringCase("DPoP")
        else { return nil }
        return String(parts[1])
    }
}
