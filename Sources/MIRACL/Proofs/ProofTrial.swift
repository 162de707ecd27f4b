import Essentials
import SQLite

/// A proof, tried with every secret that its client may have.
struct ProofTrial {
    let projects: Projects
    let identity: Identity
    let project: Project
    let commitment: Commitment
    let challenge: Scalar
    let v: G1Point

    /// Those of the identity, and those that it was handed since.
    private var good: [Secrets] {
        [identity.secrets] + (identity.renewal?.offered.map { [$0] } ?? [])
    }

    /// The secrets with which the proof is right; nil when it is wrong.
    func proven() throws -> Secrets? {
        try good.first { secrets in try master(secrets)?.verifies(proof(secrets)) ?? false }
    }

    /// What is wrong with a proof that is not right, in a sentence.
    func fault() throws -> String {
        guard try good.contains(where: { try master($0) != nil }) else {
            return "The identity's secrets are of master shares that the project does not have."
        }
        for secrets in good {
            guard let distance = try distance(secrets) else { continue }
            return "The PIN is off by \(distance.signed)."
        }
        for secrets in try outdated() {
            guard let distance = try distance(secrets) else { continue }
            return (distance == 0 ? "The PIN is right, but" : "The PIN is off by \(distance.signed), and")
                + " the phone has secrets of the previous master shares: the identity was renewed since, and a proof with its new "
                + "secrets has ended the old ones."
        }
        let permit =
            commitment.permitted == nil
            ? "" : " The time permit has to be of today, UTC by this world's clock, and of this identity."
        return
            "The proof is wrong by more than the PIN: the secrets on the phone are those of another identity or server, or V was "
            + "made with another challenge than y of the last first pass." + permit
    }

    private func proof(_ secrets: Secrets) throws -> MPinProof {
        MPinProof(
            identity: try identity.with(secrets).point(), commitment: commitment, challenge: challenge, v: v)
    }

    private func master(_ secrets: Secrets) throws -> MasterSecret? {
        try projects.masterSecret(of: identity.with(secrets), in: project)
    }

    /// How much larger the PIN is than the right one.
    private func distance(_ secrets: Secrets) throws -> Int? {
        // 10 to the power of the PIN's length.
        let limit = (0..<project.pinDigits.clamped(to: 0...9)).reduce(1) { power, _ in power * 10 }
        return try master(secrets)?.pinDistance(of: proof(secrets), limit: limit)
    }

    /// Secrets of master shares that the project had before, the newest first.
    private func outdated() throws -> [Secrets] {
        try project.previousDtas().reversed()
            .map { Secrets(publicKey: identity.publicKey, dtas: $0) }.filter { !good.contains($0) }
    }
}

extension Int {
    fileprivate var signed: String { self > 0 ? "+\(self)" : "\(self)" }
}
