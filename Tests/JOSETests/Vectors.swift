import Crypto
import Essentials
import JOSE

/// Reads a file of `Tests/Vectors`.
func vectors<Vectors: Decodable>(_: Vectors.Type, _ name: String) -> Vectors {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors").appending(path: name)
    guard let data = try? Data(contentsOf: file),
        let list = try? JSONDecoder().decode(Vectors.self, from: data)
    else { preconditionFailure("no vectors in \(name)") }
    return list
}

/// A token of a standard, with its key.
struct TokenVector: Decodable {
    let name: String
    let key: JWK
    let token: String
    let payload: String

    static let all = vectors([TokenVector].self, "jose/tokens.json")
}

/// A token of another implementation, with its key.
struct ForeignToken: Decodable {
    let alg: String
    let publicJWK: JWK
    let publicPEM: String
    let privatePEM: String
    let token: String

    static let all = vectors([ForeignToken].self, "jose/interop.json")
}

/// The token with one of its three parts changed.
func changing(_ token: String, part: Int, _ change: (String) -> String) -> String {
    var parts = token.split(separator: ".").map(String.init)
    parts[part] = change(parts[part])
    return parts.joined(separator: ".")
}

func base64url(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
