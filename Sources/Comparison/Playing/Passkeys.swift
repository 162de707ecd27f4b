import Essentials
import WebAuthn

/// WebAuthn answers of a recording, made again for the options of a world by its software authenticator: right where they were right, and as wrong as
/// they were otherwise.
///
/// Source: Web Authentication Level 3 §5.1.8 (`RegistrationResponseJSON`, `AuthenticationResponseJSON`), §5.8.1, §6.1, §6.5.
struct Passkeys {
    /// Options that the world gave, by their challenge.
    private var options: [String: SpelledJSON] = [:]
    private var recorded = RecordedPasskeys()
    /// Ids of credentials that the world's authenticator made.
    private var ids: Set<String> = []
    /// Of these the authenticator is one behind what its relying party has heard.
    private var behind: Set<String> = []

    /// An answer of a request, with the ids that the recording has and ours.
    struct Again {
        let body: SpelledJSON
        let recordedID: String
        let ourID: String
        /// Why a refusal there may have been right although ours is none, without a full stop.
        let doubt: String?
    }

    /// Whether an answer had options: else nothing needs to be looked into.
    var isAsked: Bool { !options.isEmpty }

    private static let depthLimit = 6
    /// No relying party is there.
    private static let elsewhere = "https://elsewhere.invalid"

    /// Keeps the options that an answer of the world has, and those of the recorded one.
    mutating func learn(ours body: [UInt8], recorded: [UInt8]) {
        for (challenge, json) in Self.options(in: body) { options[challenge] = json }
        for (challenge, json) in Self.options(in: recorded) { self.recorded.keep(json, challenge: challenge) }
    }

    private static func options(in body: [UInt8]) -> [(String, SpelledJSON)] {
        // What is no JSON has no options.
        guard body.count < 1 << 20, let json = try? SpelledJSONReader.value(of: body) else { return [] }
        return options(in: json, depth: 0)
    }

    private static func options(in json: SpelledJSON, depth: Int) -> [(String, SpelledJSON)] {
        guard depth < depthLimit else { return [] }
        if let challenge = json["challenge"]?.string,
            json["rp"]?.members != nil || json["rpId"] != nil || json["allowCredentials"] != nil
        {
            return [(challenge, json)]
        }
        return (json.members ?? []).flatMap { options(in: $0.value, depth: depth + 1) }
            + (json.array ?? []).flatMap { options(in: $0, depth: depth + 1) }
    }

    /// The body with the answer of the world's authenticator in the place of the recorded one.
    ///
    /// - Parameters:
    ///   - body: with the values of this world in it, its challenge too.
    ///   - recorded: as it was.
    ///   - isRefused: whether the recorded answer was.
    /// - Returns: nil where the body has no WebAuthn answer, or one to options that this world did not give.
    /// - Throws: ``Unsendable`` where the authenticator cannot answer.
    mutating func again(
        _ body: SpelledJSON, recorded: SpelledJSON, isRefused: Bool, from stage: Stage
    ) throws -> Again? {
        try again(body, recorded, isRefused: isRefused, from: stage, depth: 0)
    }

    private mutating func again(
        _ json: SpelledJSON, _ recorded: SpelledJSON, isRefused: Bool, from stage: Stage, depth: Int
    ) throws -> Again? {
        guard depth < Self.depthLimit, let members = json.members else { return nil }
        if let ours = PasskeyAnswer(json), let theirs = PasskeyAnswer(recorded) {
            return try answered(ours, theirs, json, isRefused: isRefused, from: stage)
        }
        for (index, member) in members.enumerated() {
            guard let there = recorded[member.name],
                let inner = try again(
                    member.value, there, isRefused: isRefused, from: stage, depth: depth + 1)
            else { continue }
            var changed = members
            changed[index].value = inner.body
            return Again(
                body: .object(changed), recordedID: inner.recordedID, ourID: inner.ourID, doubt: inner.doubt)
        }
        return nil
    }

    private mutating func answered(
        _ ours: PasskeyAnswer, _ theirs: PasskeyAnswer, _ json: SpelledJSON, isRefused: Bool,
        from stage: Stage
    ) throws -> Again? {
        let asked = recorded.options(of: theirs)
        let reading = recorded.read(theirs, isRefused: isRefused)
        guard let (options, isTwice) = options(answering: ours.client.challenge) else { return nil }
        var deviation = reading.deviation
        if isTwice { deviation.challenge = ours.client.challenge }
        if reading.hasOtherUser { deviation.userHandle = ours.response["userHandle"]?.string }
        if reading.hasOtherParty {
            deviation.relyingPartyID = "elsewhere." + (RecordedPasskeys.party(options) ?? "invalid")
        }
        let credential = ours.ceremony == .get ? used(ours.id) : nil
        let made = try ask(
            PasskeyOrder(
                ceremony: ours.ceremony, options: Array(options.text.utf8),
                origin: Self.origin(ours, theirs, there: asked, here: options, isRefused: isRefused),
                credential: credential, role: reading.role, deviation: deviation), stage)
        guard let id = made["id"]?.string else {
            throw Unsendable("the software authenticator gave no credential")
        }
        ids.insert(id)
        let posted = credential == ours.id || credential == nil ? id : ours.id
        return Again(
            body: Self.merged(made, json, ours, id: posted), recordedID: theirs.id, ourID: posted,
            doubt: reading.doubt)
    }

    /// The options that a challenge is of, and whether the client encoded it twice.
    private func options(answering challenge: String) -> (SpelledJSON, isTwice: Bool)? {
        if let known = options[challenge] { return (known, false) }
        return RecordedPasskeys.decoded(challenge).flatMap { options[$0] }.map { ($0, true) }
    }

    /// The id of a credential, where a client encoded it twice.
    private func used(_ id: String) -> String {
        guard !ids.contains(id), let inner = RecordedPasskeys.decoded(id), ids.contains(inner) else {
            return id
        }
        return inner
    }

    private mutating func ask(_ order: PasskeyOrder, _ stage: Stage) throws -> SpelledJSON {
        if let id = order.credential, order.role?.counter == .increasing, behind.remove(id) != nil {
            _ = try stage.passkey(order)
        }
        let made = try stage.passkey(order)
        if let id = order.credential, order.role?.counter == .backwards { behind.insert(id) }
        guard let json = SpelledJSON(made) else {
            throw Unsendable("the software authenticator gave no credential")
        }
        return json
    }

    /// What the authenticator made, with what the client sends beside it, such as a name, and in the client's spelling.
    private static func merged(
        _ made: SpelledJSON, _ json: SpelledJSON, _ ours: PasskeyAnswer, id: String
    ) -> SpelledJSON {
        let own = (made.members ?? []).map { member in
            switch member.name {
            case "id", "rawId": SpelledJSON.Member(name: member.name, value: .string(id))
            case "response": SpelledJSON.Member(name: member.name, value: spelled(member.value, ours))
            default: member
            }
        }
        return .object(own + (json.members ?? []).filter { made[$0.name] == nil })
    }

    private static func spelled(_ response: SpelledJSON, _ ours: PasskeyAnswer) -> SpelledJSON {
        .object(
            (response.members ?? []).map { member in
                member.name == "clientDataJSON"
                    ? SpelledJSON.Member(name: ours.clientDataName, value: member.value) : member
            })
    }

    /// The recorded one, where this world's relying party can be asked from there, or where it was as foreign to the recorded one.
    private static func origin(
        _ ours: PasskeyAnswer, _ theirs: PasskeyAnswer, there: SpelledJSON?, here: SpelledJSON,
        isRefused: Bool
    ) -> String {
        let origin = ours.client.origin
        let isForeign = RecordedPasskeys.party(here).map { Self.isForeign(origin, to: $0) } ?? false
        if isRefused, let party = RecordedPasskeys.party(there),
            Self.isForeign(theirs.client.origin, to: party)
        {
            return isForeign ? origin : elsewhere
        }
        guard isForeign, let party = RecordedPasskeys.party(here) else { return origin }
        return (party == "localhost" ? "http://" : "https://") + party
    }

    /// Whether it is a page that may not use the relying party. Apps have origins of other schemes.
    private static func isForeign(_ origin: String, to party: String) -> Bool {
        guard let host = WebAddress(origin)?.host else { return false }
        return host != party && !host.hasSuffix("." + party)
    }
}
