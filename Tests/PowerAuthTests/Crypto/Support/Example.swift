import Crypto
import Essentials
import PowerAuth
import Testing

/// A part of the worked example.
struct Example: Sendable {
    let json: JSONValue

    static let whole: Example = {
        guard let json = try? JSONValue(parsing: powerAuthVector("example.json")) else {
            preconditionFailure("no worked example")
        }
        return Example(json: json)
    }()

    subscript(_ name: String) -> Example { Example(json: json[name] ?? .null) }

    func text(_ name: String) throws -> String { try #require(json[name]?.string, "\(name)") }
    func hex(_ name: String) throws -> [UInt8] { try #require(Hex.decode(text(name)), "\(name)") }
    func base64(_ name: String) throws -> [UInt8] { try #require(Base64.decode(text(name)), "\(name)") }
    func number(_ name: String) throws -> Int { try #require(json[name]?.integer, "\(name)") }
    func nonce(_ name: String) throws -> Nonce { try Nonce(base64: text(name)) }
}

extension Example {
    static func privateKey(_ name: String) throws -> PrivateKey {
        try PrivateKey(scalar: whole["keys"][name].hex("private"))
    }

    static func scalar(_ name: String) throws -> SecretScalar {
        try SecretScalar(whole["keys"][name].hex("private"))
    }

    static func derivedKeys() throws -> DerivedKeys {
        let secret = try MasterSecret(own: scalar("server"), peer: CurvePoint(privateKey("device").publicKey))
        return try DerivedKeys(secret)
    }

    static func applicationKey() throws -> ApplicationKey {
        try ApplicationKey(whole["application"].text("appKey"))
    }

    static func applicationSecret() throws -> ApplicationSecret {
        try ApplicationSecret(whole["application"].text("appSecret"))
    }

    static func activationID() throws -> String { try whole["activation"].text("activationId") }
}
