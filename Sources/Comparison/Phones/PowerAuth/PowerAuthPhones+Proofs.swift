import Essentials
import PowerAuthDevice

/// Requests that can be read, with an authentication code or the digest of a token; also those of back ends that hand one on.
extension PowerAuthPhones {
    func sign(_ code: PowerAuthCode, _ scene: Scene, _ request: inout PlayedRequest) throws -> PhonePlay {
        guard let id = code.fields["pa_activation_id"] else {
            throw PhoneObstacle("its header field does not say which activation it is for")
        }
        let device = try device(id, code.fields["pa_version"])
        let content = code.content(of: request, uriID: plan.checks[code.proof.text]?.uriID)
        let isWrong = isWrong(code.proof, scene)
        noteMiss(isWrong, scene)
        if isWrong, let sent = sentCodes[code.proof.text] {
            code.proof.put(sent, ProofFields.authorization, into: &request)
            return PhonePlay(outcome: .signed)
        }
        let ours = try signing(device, code.fields.factors ?? "", isWrong: isWrong) { credential in
            try device.authorization(
                content.method, uriID: content.uriID, body: content.body, with: credential)
        }
        if !isWrong { sentCodes[code.proof.text] = ours }
        // Of an app that nobody knows there, nobody knows it here.
        let isOfOtherApp = isWrong && code.fields["pa_application_key"] != applications[id]
        let kept: Set = isOfOtherApp ? ["pa_application_key"] : []
        code.proof.put(ours, ProofFields.authorization, keeping: kept, into: &request)
        return PhonePlay(outcome: .signed)
    }

    func prove(
        _ fields: ProofFields, _ proof: PowerAuthProof, _ scene: Scene, _ request: inout PlayedRequest
    ) throws -> PhonePlay {
        let token = try token(fields)
        if let ours = sentTokens[proof.text] {
            proof.put(ours, ProofFields.token, into: &request)
            return PhonePlay(outcome: .signed)
        }
        // One that was too old is too old here.
        let shift = Self.shift(of: fields, from: scene.exchange.playedAt)
        let isWrong = isWrong(proof, scene) && shift == 0
        token.device.faults.timeShift = shift
        defer { token.device.faults.timeShift = 0 }
        let ours = try proving(token.device, token.name, isWrong: isWrong) {
            try token.device.tokenHeader(token.name)
        }
        sentTokens[proof.text] = ours
        proof.put(ours, ProofFields.token, into: &request)
        return PhonePlay(outcome: .signed)
    }

    /// As a back end heard of it that handed it on, or of the app that sent it; else as it was answered.
    private func isWrong(_ proof: PowerAuthProof, _ scene: Scene) -> Bool {
        let answer = SpelledJSON(scene.exchange.response.body)
        guard !proof.isHanded else {
            guard PowerAuthReading.verdict(answer) == false else { return false }
            // Of a token, which no request is part of, another app's back end may have heard otherwise.
            let isToken = ProofFields(proof.text)?["token_id"] != nil
            return !(isToken && plan.checks[proof.text]?.isValid == true)
        }
        if let code = answer?["responseObject"]?["code"]?.string, Self.isLater(code) {
            // The last of several wrong ones fails the operation, and is refused for that.
            return code == Self.failed && scene.operation.map(missed.contains) ?? false
        }
        // What the back end heard is of the first time.
        guard sentCodes[proof.text] == nil else { return scene.isUnauthorized }
        return plan.checks[proof.text].map { !$0.isValid } ?? scene.isUnauthorized
    }

    /// Whether codes for an operation were wrong, as long as it is open.
    private func noteMiss(_ isWrong: Bool, _ scene: Scene) {
        guard let operation = scene.operation else { return }
        if isWrong && scene.isUnauthorized { missed.insert(operation) } else { missed.remove(operation) }
    }

    private static let failed = "OPERATION_ALREADY_FAILED"

    /// Whether an operation was refused for what stands in it: its code was right. Source: Mobile Token documentation, “Mobile Token API”.
    private static func isLater(_ code: String) -> Bool { code.hasPrefix("OPERATION_") }

    /// Milliseconds that the time in a field is away from that of its request; 0 for as few as a slow phone has.
    private static func shift(of fields: ProofFields, from time: Date) -> Int {
        guard let told = fields["timestamp"].flatMap({ Int($0) }),
            0..<Date.writable.upperBound.unixMilliseconds ~= told
        else { return 0 }
        let shift = told - time.unixMilliseconds
        return abs(shift) < slowest ? 0 : shift
    }

    private static let slowest = 60_000
}
