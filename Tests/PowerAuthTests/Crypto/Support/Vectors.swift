import Crypto
import Essentials
import PowerAuth
import Testing

/// Reads a file of `Tests/Vectors/powerauth`.
func powerAuthVector(_ name: String) -> [UInt8] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    guard let data = try? Data(contentsOf: tests.appending(path: "Vectors/powerauth/\(name)")) else {
        preconditionFailure("no vectors in \(name)")
    }
    return [UInt8](data)
}

/// One entry of a published file: texts by their names.
struct VectorEntry: Sendable, CustomTestStringConvertible {
    let file: String
    let index: Int
    let members: [String: String]

    var testDescription: String { "\(file) \(index)" }

    /// All entries of a file; input and output of an entry are put together.
    static func all(_ file: String) -> [VectorEntry] {
        guard let json = try? JSONValue(parsing: powerAuthVector(file)),
            let list = json.object?.values.compactMap(\.array).first
        else { preconditionFailure("no list in \(file)") }
        return list.enumerated().map { index, entry in
            let parts = [entry["input"], entry["output"]].compactMap(\.?.object)
            let members = parts.isEmpty ? entry.object ?? [:] : parts[0].merging(parts[1]) { $1 }
            return VectorEntry(file: file, index: index, members: members.compactMapValues(\.string))
        }
    }

    func text(_ name: String) throws -> String { try #require(members[name]) }
    func bytes(_ name: String) throws -> [UInt8] { try #require(Base64.decode(text(name))) }
    func number(_ name: String) throws -> Int { try #require(Int(text(name))) }
    func key(_ name: String) throws -> SecretKey { try SecretKey(bytes(name)) }
    func nonce(_ name: String) throws -> Nonce { try Nonce(bytes(name)) }
    func publicKey(_ name: String) throws -> PublicKey { try PublicKey(x962: bytes(name)) }
    func privateKey(_ name: String) throws -> PrivateKey { try PrivateKey(scalar: bytes(name)) }

    func factorKeys() throws -> FactorKeys {
        try FactorKeys(
            possession: key("signaturePossessionKey"), knowledge: key("signatureKnowledgeKey"),
            biometry: key("signatureBiometryKey"))
    }
}
