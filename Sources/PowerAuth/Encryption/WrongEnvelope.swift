import Crypto
import Essentials

/// An encrypted request that was not opened, and what there is to find out why: one thing is varied at a time.
struct WrongEnvelope: Sendable {
    let json: JSONValue
    let version: ProtocolVersion
    let purpose: EnvelopePurpose
    let privateKey: SecretScalar
    let applicationKey: String
    let secret: String
    /// In activation scope.
    let activation: (id: String, transport: SecretKey)?
    let otherSecrets: [WrongCode.Secret]

    /// What it would be right for, for the end of a sentence; nil when nothing that was tried fits.
    var finding: String? { otherPurpose ?? otherSecret ?? otherVersion }

    private var otherPurpose: String? {
        let found = EnvelopePurpose.allCases.first {
            $0 != purpose && $0.scope == purpose.scope && fits(version, $0, secret)
        }
        return found.map { "the sharedInfo1 “\($0.rawValue)”, expected “\(purpose.rawValue)”" }
    }

    private var otherSecret: String? {
        let found = otherSecrets.first { $0.text != secret && fits(version, purpose, $0.text) }
        return found.map {
            "the secret of version “\($0.version)” of \($0.application), not that of the version whose key it names"
        }
    }

    private var otherVersion: String? {
        let found = ProtocolVersion.allCases.first { $0 != version && fits($0, purpose, secret) }
        return found.map { "version \($0.rawValue), expected \(version.rawValue) as its header says" }
    }

    /// What does not even have the form of the version does not fit.
    private func fits(_ version: ProtocolVersion, _ purpose: EnvelopePurpose, _ secret: String) -> Bool {
        let opened = try? Envelope.open(
            EnvelopeRequest(json, version), privateKey: privateKey, purpose: purpose,
            binding: binding(version, secret))
        return opened != nil
    }

    private func binding(_ version: ProtocolVersion, _ secret: String) throws -> EnvelopeBinding {
        let (key, secret) = (try ApplicationKey(applicationKey), try ApplicationSecret(secret))
        guard let activation else { return EnvelopeBinding(version, key: key, secret: secret) }
        return EnvelopeBinding(
            version, key: key, secret: secret, activationID: activation.id, transport: activation.transport)
    }
}
