import Crypto
import PlatformKit
import PostQuantum

// Activations of protocol 4.0.
extension StateRules {
    mutating func check(_ secrets: ActivationSecrets, at path: [String]) throws {
        try requireNew(secrets.activation, "activation", "activation's secrets", at: path)
        try requireActivation(secrets.activation, at: path)
        let isOf4 = withoutSecrets.removeValue(forKey: secrets.activation) != nil
        guard isOf4 == (secrets.upgradeCounterData == nil) else {
            guard !isOf4 else {
                throw FixtureProblem(
                    at: path + ["upgrade_counter_data"], "the activation is one of protocol 4.0 already")
            }
            throw FixtureProblem(
                at: path + ["activation"],
                "the counter_data of the activation is not of 32 bytes: it is none of protocol 4.0")
        }
        for (name, key) in [
            ("secret", secrets.secret), ("knowledge_key", secrets.knowledgeKey),
            ("next_knowledge_key", secrets.nextKnowledgeKey), ("biometry_key", secrets.biometryKey),
            ("next_biometry_key", secrets.nextBiometryKey),
            ("upgrade_counter_data", secrets.upgradeCounterData),
        ] {
            if let key { try FixtureRules.require([V4.keyCount], key, at: path + [name]) }
        }
        try checkSigningKeys(of: secrets, at: path)
    }

    private func checkSigningKeys(of secrets: ActivationSecrets, at path: [String]) throws {
        try FixtureRules.require([48], secrets.serverKey, at: path + ["server_key"])
        try FixtureRules.requireKey(at: path + ["server_key"]) {
            try PrivateKey(.p384, scalar: secrets.serverKey.bytes)
        }
        try FixtureRules.require([97], secrets.deviceKey, at: path + ["device_key"])
        try FixtureRules.requireKey(at: path + ["device_key"]) {
            try CurvePoint(.p384, x962: secrets.deviceKey.bytes)
        }
        let set = secrets.suite.signature
        for (name, key, count) in [
            ("server_seed", secrets.serverSeed, MLDSA.seedCount),
            ("device_second_key", secrets.deviceSecondKey, set?.subjectPublicKeyInfoCount ?? 0),
        ] {
            guard (key == nil) == (set == nil) else {
                throw FixtureProblem(
                    at: path + [name],
                    "the suite \(secrets.suite.rawValue) has \(set == nil ? "no" : "a") key of ML-DSA")
            }
            if let key { try FixtureRules.require([count], key, at: path + [name]) }
        }
    }

    /// Asked when all is read.
    func requireSecrets() throws {
        guard let missing = withoutSecrets.min(by: { $0.key < $1.key }) else { return }
        throw FixtureProblem(
            at: missing.value,
            "an activation whose counter_data has 32 bytes is of protocol 4.0 and has an entry in mobile.activation_secrets"
        )
    }
}
