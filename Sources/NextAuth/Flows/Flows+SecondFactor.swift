import Crypto
import Essentials
import PlatformKit
import SQLite

// The second factor of a flow: set once, verified and counted afterwards.
extension Flows {
    func answer(_ flow: Flow, with proof: FactorProof, _ instance: Instance, in turn: Turn) throws -> Flow {
        guard let server = try Server.find(flow.server, in: turn.db) else {
            throw DeviceRefusal.serverUnknown(flow.server)
        }
        var flow = flow
        if !flow.isSigned {
            try requireSignature(proof.signature, of: flow, in: turn.db)
            flow.isSigned = true
        }
        guard flow.step == .setSecondFactor else {
            try require(.verifySecondFactor, of: flow)
            return try verify(&flow, proof, instance, server, in: turn)
        }
        guard instance.factor.pinKey == nil else {
            throw DeviceRefusal.stateWrong(
                "Another flow has set a PIN in the meantime; start again and prove it.")
        }
        let keys = try proof.newKeys()
        var instance = instance
        (instance.factor.pinKey, instance.factor.biometricKey) = (keys.pin, keys.biometric)
        instance.factor.failures = 0
        instance.factor.blocksWithPIN = flow.config.blockSecondFactorOnPINBlocked ?? false
        return try succeed(&flow, instance, server, in: turn)
    }

    /// Where no confirmation was signed, the account's signature comes with the second factor.
    func requireSignature(_ signature: String?, of flow: Flow, in db: Connection) throws {
        guard let signature else {
            throw DeviceRefusal.malformed(
                "Nothing was signed in this flow yet: “signature” is missing, the account's own over the flow's text."
            )
        }
        guard let account = try flow.account.flatMap({ try Account.find($0, in: db) }) else {
            throw DeviceRefusal.accountUnknown(flow.account.map { String($0) } ?? "")
        }
        if let refusal = try refusal(of: signature, on: flow, by: account, in: db) { throw refusal }
    }

    private func succeed(
        _ flow: inout Flow, _ instance: Instance, _ server: Server, in turn: Turn
    ) throws -> Flow {
        var instance = instance
        instance.factor.succeed(at: turn.now)
        try turn.update(instance)
        flow.result = .success
        return try finish(flow, instance, server, in: turn)
    }

    private func verify(
        _ flow: inout Flow, _ proof: FactorProof, _ instance: Instance, _ server: Server, in turn: Turn
    ) throws -> Flow {
        try proof.requireAnswer()
        let tries = try world.settings(in: turn.db).tries
        var instance = instance
        if let signature = proof.biometricsignature {
            let text = signedText(flow, approves: flow.type == .transaction ? true : nil)
            try requireBiometrics(signature, text, instance.factor, tries: tries)
            return try succeed(&flow, instance, server, in: turn)
        }
        guard instance.factor.state(tries: tries) != .blocked else { throw DeviceRefusal.secondFactorBlocked }
        guard let pinKey = instance.factor.pinKey else {
            throw DeviceRefusal.stateWrong(
                "The PIN was deleted with the last account that needed it; start again.")
        }
        guard DeviceKey.isProof(proof.pinproof ?? "", of: flow.challenge, pinKey: pinKey) else {
            let isOutdated = flow.lastChallenge.map {
                DeviceKey.isProof(proof.pinproof ?? "", of: $0, pinKey: pinKey)
            }
            return try countWrongPIN(&flow, instance, isOutdated ?? false, in: turn)
        }
        instance.factor.failures = 0
        return try succeed(&flow, instance, server, in: turn)
    }

    /// A biometric key signs, or refuses to, and needs no counter.
    func requireBiometrics(
        _ signature: String, _ text: SignedText, _ factor: SecondFactor, tries: Int
    ) throws {
        guard let key = factor.biometricKey.flatMap(DeviceKey.publicKey) else {
            throw DeviceRefusal.stateWrong("The device has set no biometric key; only the PIN can be used.")
        }
        guard factor.allowed(tries: tries).contains("BIOMETRIC") else {
            throw DeviceRefusal.secondFactorBlocked
        }
        if let fault = text.fault(of: signature, by: key) { throw DeviceRefusal.signatureWrong(fault) }
    }

    private func countWrongPIN(
        _ flow: inout Flow, _ instance: Instance, _ isOutdated: Bool, in turn: Turn
    ) throws -> Flow {
        var instance = instance
        let left = try noteWrongPIN(&instance, isOutdated, in: turn)
        flow.lastChallenge = flow.challenge
        flow.challenge = world.services.entropy.token(32, for: "challenge")
        flow.result = left > 0 ? .wrong : .blocked
        if left == 0 {
            (flow.state, flow.failure) = (.error, .secondFactorBlocked)
            try logins.giveUp(flow, in: turn)
        }
        try turn.update(flow)
        return flow
    }

    /// Counts a wrong PIN.
    ///
    /// - Parameter isOutdated: it was right for the challenge before.
    /// - Returns: tries that are left.
    func noteWrongPIN(_ instance: inout Instance, _ isOutdated: Bool, in turn: Turn) throws -> Int {
        instance.factor.failures.increment()
        try turn.update(instance)
        let left = instance.factor.triesLeft(of: try world.settings(in: turn.db).tries)
        let cause =
            isOutdated
            ? "The proof is of the right PIN, but over the challenge before the last wrong try: each try gets a new one."
            : "The PIN is wrong, or derived with another salt or number of rounds (PBKDF2, the 16 bytes of the instance id, 10000)."
        turn.note(
            left > 0 ? "wrong PIN" : "PIN blocked", about: instance.name ?? instance.id,
            cause
                + (left > 0
                    ? " \(left.countedLeft("try", "tries"))." : " That was the last try: the PIN is blocked.")
        )
        return left
    }
}
