/// What the person at the device gives for an authentication code.
package enum Credential: Sendable, Equatable {
    /// Nothing: to have the device is enough.
    case possession
    /// Possession and knowledge.
    case pin(String)
    /// Possession and biometry.
    case biometry
    /// All three.
    case pinAndBiometry(String)
    /// Knowledge without possession, which no kit sends.
    case pinAlone(String)
    /// Biometry without possession, which no kit sends.
    case biometryAlone

    /// The name of the factors on the wire.
    package var factors: String {
        switch self {
        case .possession: "possession"
        case .pin: "possession_knowledge"
        case .biometry: "possession_biometry"
        case .pinAndBiometry: "possession_knowledge_biometry"
        case .pinAlone: "knowledge"
        case .biometryAlone: "biometry"
        }
    }

    var pin: String? {
        switch self {
        case .pin(let pin), .pinAndBiometry(let pin), .pinAlone(let pin): pin
        case .possession, .biometry, .biometryAlone: nil
        }
    }

    var usesPossession: Bool { self != .biometryAlone && factors != "knowledge" }
    var usesBiometry: Bool { factors.hasSuffix("biometry") }
}

/// A token of the server, with which requests are authenticated without moving the counter.
package struct Token: Sendable, Codable, Equatable {
    package let id: String
    /// 16 bytes, in protocol 4.0 32; one that was made before an upgrade keeps its own.
    package var secret: [UInt8]

    package init(id: String, secret: [UInt8]) {
        self.id = id
        self.secret = secret
    }
}
