import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    struct PINChange: Decodable {
        let oldproof: String?
        let biometricsignature: String?
        let pinkey: String?
        let biometrickey: String?
        let challenge: String
    }

    /// `POST /device/v1/instance/challenge`: what a proof outside of a flow has to answer.
    ///
    /// - Request: no body.
    /// - Response: `200 {"challenge", "expires"}`; it is good for one proof.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func challengeInstance(_ request: Request) throws -> Response {
        let challenge = try change { turn -> Challenge in
            var instance = try request.requireDevice(in: turn.db)
            let challenge = Challenge(
                text: services.entropy.token(32, for: "challenge"),
                expiresAt: turn.now + (try world.settings(in: turn.db)).flowLife)
            instance.challenge = challenge
            try turn.update(instance)
            return challenge
        }
        let answer: JSONValue = [
            "challenge": .string(challenge.text), "expires": .integer(challenge.expiresAt.unixSeconds),
        ]
        return try .json(answer)
    }

    /// `POST /device/v1/instance/pin`: changes the PIN, by the old one or by biometrics, and with it the biometric key where one
    /// comes along.
    ///
    /// - Request: `{"oldproof" | "biometricsignature", "pinkey", "biometrickey"?, "challenge"}`.
    /// - Response: `200`, as for `GET /instance`.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `BAD_SIGNATURE` (a wrong old PIN counts), `WRONG_STATE` without a PIN or with
    ///   another challenge, `SECOND_FACTOR_BLOCKED`.
    /// - Source: ours.
    func changePIN(_ request: Request) throws -> Response {
        let answer = try change(for: request) { instance, turn in
            let input = try request.json(PINChange.self)
            let proof = FactorProof(
                pinkey: input.pinkey, biometrickey: input.biometrickey, pinproof: input.oldproof,
                biometricsignature: input.biometricsignature)
            let keys = try proof.newKeys()
            try proof.requireAnswer()
            var instance = try instance.redeeming(input.challenge, at: turn)
            try require(proof, input.challenge, of: instance, in: turn)
            instance.factor.pinKey = keys.pin
            instance.factor.biometricKey = keys.biometric ?? instance.factor.biometricKey
            instance.factor.failures = 0
            instance.factor.succeed(at: turn.now)
            try turn.update(instance)
            return try instance.deviceView(world.settings(in: turn.db), in: turn.db)
        }
        return try .json(answer)
    }

    /// Checks the proof of the old second factor; a wrong old PIN is counted.
    ///
    /// - Parameter instance: with its challenge spent, which it stays.
    private func require(
        _ proof: FactorProof, _ challenge: String, of instance: Instance, in turn: Turn
    ) throws {
        let tries = try world.settings(in: turn.db).tries
        guard let pinKey = instance.factor.pinKey else {
            throw DeviceRefusal.stateWrong(
                "No PIN is set yet, so there is none to change; an enrolment sets it.")
        }
        if let signature = proof.biometricsignature {
            let text = SignedText(id: instance.id, type: "CHANGE_PIN", challenge: challenge, subject: "")
            return try flows.requireBiometrics(signature, text, instance.factor, tries: tries)
        }
        guard instance.factor.state(tries: tries) != .blocked else { throw DeviceRefusal.secondFactorBlocked }
        if DeviceKey.isProof(proof.pinproof ?? "", of: challenge, pinKey: pinKey) { return }
        let left = max(0, instance.factor.triesLeft(of: tries) - 1)
        let refusal: DeviceRefusal =
            left == 0
            ? .secondFactorBlocked : .proofWrong("The old PIN is wrong: \(left.countedLeft("try", "tries")).")
        throw turn.kept(refusal) { turn in
            var instance = instance
            _ = try flows.noteWrongPIN(&instance, false, in: turn)
        }
    }
}
