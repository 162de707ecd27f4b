import Crypto
import Essentials
import Testing

@testable import PowerAuth

/// A row of a file of `Tests/Vectors/powerauth/v4`.
struct V4Row: Sendable, CustomTestStringConvertible {
    let file: String
    let index: Int
    let json: JSONValue

    var testDescription: String { "\(file) \(index)" }

    static func all(_ file: String) -> [V4Row] {
        guard let json = try? JSONValue(parsing: powerAuthVector("v4/\(file).json")),
            let rows = json["rows"]?.array, !rows.isEmpty
        else { preconditionFailure("no rows in \(file)") }
        return rows.enumerated().map { V4Row(file: file, index: $0, json: $1) }
    }

    /// A member by its path, `status.blob`.
    func at(_ path: String) throws -> JSONValue {
        try path.split(separator: ".").reduce(json) { value, name in
            try #require(value[String(name)], "\(path)")
        }
    }

    func text(_ path: String) throws -> String { try #require(at(path).string, "\(path)") }
    func bytes(_ path: String) throws -> [UInt8] { try #require(Base64.decode(text(path)), "\(path)") }
    func number(_ path: String) throws -> Int { try #require(at(path).integer, "\(path)") }
    func list(_ path: String) throws -> [[UInt8]] {
        try #require(at(path).strings, "\(path)").map { try #require(Base64.decode($0)) }
    }

    func suite() throws -> V4.Suite { try #require(V4.Suite(rawValue: text("algorithm"))) }

    func signingKeys(_ path: String) throws -> V4.SigningKeys {
        let second = try at(path)["mldsa"]?.string
        return V4.SigningKeys(
            point: try CurvePoint(.p384, x962: bytes(path + ".ecdsa")),
            second: try second.map { try #require(Base64.decode($0)) })
    }
}

extension PrivateKey {
    /// Reads PKCS #8.
    init(pkcs8 der: [UInt8]) throws {
        let text = "-----BEGIN PRIVATE KEY-----\n\(Base64.encode(der))\n-----END PRIVATE KEY-----\n"
        try self.init(pem: text)
    }
}
