import Crypto
import Essentials

extension Checklist {
    /// The checks of client data that both ceremonies have, which are numbered one after the other from `first` on.
    mutating func clientData(
        _ bytes: [UInt8], _ relyingParty: RelyingParty, _ challenge: IssuedChallenge, at now: Date,
        from first: Int
    ) throws(WebAuthnRefusal) -> ClientData {
        let data: ClientData
        do {
            data = try ClientData(bytes)
        } catch {
            throw refusal(
                .clientData, step: first, expected: "an object with type, challenge and origin",
                got: error.got)
        }
        let type = ceremony.clientDataType
        try require(
            data.type == type, .type, step: first + 1, expected: type, got: data.type.shortened)
        try check(challenge, data.challenge, at: now, step: first + 2)
        try require(
            relyingParty.expects(data.origin), .origin, step: first + 3,
            expected: Self.list(relyingParty.expected),
            got: relyingParty.remark(on: data.origin), fixture: relyingParty.line(adding: data.origin),
            finding: relyingParty.obstacle(at: data.origin))
        try checkFrames(data, relyingParty, step: first + 4)
        return data
    }

    private mutating func check(
        _ challenge: IssuedChallenge, _ got: String, at now: Date, step: Int
    ) throws(WebAuthnRefusal) {
        let bytes = Base64URL.decode(got, allowingPadding: true)
        try require(
            bytes.map { constantTimeEqual($0, challenge.bytes) } == true, .challenge, step: step,
            expected: Base64URL.encode(challenge.bytes), got: got.shortened,
            finding: bytes.flatMap { Self.finding(on: $0, expecting: challenge.bytes) })
        let name = ceremony.rawValue
        try require(
            challenge.ceremony == ceremony, .challengeCeremony, step: step,
            expected: "a challenge issued for \(name)", got: "one for \(challenge.ceremony.rawValue)")
        try require(
            !challenge.isUsed, .challengeUsed, step: step, expected: "a challenge that was not used before",
            got: "one that was")
        guard let expiry = challenge.expiresAt else { return }
        try require(
            now < expiry, .challengeExpired, step: step,
            expected: "a response before \(expiry.formatted(.iso8601))",
            got: "one at \(now.formatted(.iso8601))")
    }

    private static func finding(on bytes: [UInt8], expecting challenge: [UInt8]) -> String? {
        bytes.decodings.first { $0.bytes == challenge }.map {
            "The challenge is encoded twice: hand its bytes to the authenticator, not their text in \($0.encoding)."
        }
    }

    private mutating func checkFrames(
        _ data: ClientData, _ relyingParty: RelyingParty, step: Int
    ) throws(WebAuthnRefusal) {
        try require(
            !data.crossOrigin || relyingParty.allowsCrossOrigin, .crossOrigin, step: step,
            expected: "a ceremony that is not in a frame of a foreign page", got: "crossOrigin true")
        guard let top = data.topOrigin else { return }
        try require(
            relyingParty.allowsCrossOrigin && relyingParty.expects(top: top), .topOrigin, step: step + 1,
            expected: relyingParty.allowsCrossOrigin
                ? "a frame in \(Self.list(relyingParty.topOrigins))" : "no frame at all",
            got: "topOrigin \(top.shortened)")
    }

    static func list(_ texts: [String]) -> String {
        texts.isEmpty
            ? "none at all" : texts.count == 1 ? texts[0] : "one of \(texts.joined(separator: ", "))"
    }
}
