/// Why a posted credential cannot be read.
struct PostedCredentialFault: Error, Sendable, Equatable {
    /// What cannot be.
    enum Part: Sendable, Equatable, CaseIterable {
        case json, idMissing, idEncoding, type, clientData, attestationObject, authenticatorData
    }

    let part: Part
    /// A clause: what was expected and what came.
    let reason: String

    init(_ part: Part, _ reason: String) { (self.part, self.reason) = (part, reason) }
}
