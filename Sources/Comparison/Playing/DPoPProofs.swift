import Crypto
import Essentials
import HTTP
import JOSE

/// Proofs of possession of a recording, made again for a request to a world with keys of our own.
///
/// Source: RFC 9449 §4.2, §4.3.
struct DPoPProofs {
    /// A key of ours for each of the recorded clients', by the thumbprint of theirs.
    private var keys: [String: JWK] = [:]

    /// The longest proof that is read.
    private static let mostBytes = 16_384
    /// A key of RSA takes a fifth of a second to make, and a recording comes from anywhere.
    private static let mostKeys = 20
    private static let mostBits = 4096

    /// Makes a key for each that the requests show a proof of: a request may name one before its first proof.
    /// A proof of a key that cannot be made is sent as it is, and not compared.
    init(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            guard keys.count < Self.mostKeys,
                let proof = exchange.request.headers["DPoP"].flatMap(Recorded.init),
                keys[proof.thumbprint] == nil, let key = try? PrivateKey.generate(proof.key.kind)
            else { continue }
            keys[proof.thumbprint] = JWK(.privateKey(key))
        }
    }

    /// Thumbprints of the recorded keys, and of ours, which tokens and requests name.
    var thumbprints: [(recorded: String, ours: String)] {
        // A key that was made has one.
        keys.compactMap { recorded, key in (try? key.thumbprint()).map { (recorded, $0) } }
    }

    /// - Parameters:
    ///   - proof: the recorded one, with the values of this world in its claims.
    ///   - tokens: the access token that the recorded request carries, and that of ours.
    /// - Returns: nil for what is no proof of a key that there is one of ours for.
    func again(_ proof: String, tokens: (recorded: String, ours: String)?) -> String? {
        guard let recorded = Recorded(proof), let ours = keys[recorded.thumbprint],
            case .privateKey(let key) = ours.material,
            let jwk = try? SpelledJSONReader.value(of: Array(JSONEncoder().encode(ours.publicHalf)))
        else { return nil }
        var claims = recorded.claims
        // One that was wrong stays wrong.
        if let tokens, claims["ath"]?.string == Self.hash(tokens.recorded) {
            claims = claims.with("ath", .string(Self.hash(tokens.ours)))
        }
        let input = [recorded.header.with("jwk", jwk), claims].map {
            Base64URL.encode(Array($0.text.utf8))
        }.joined(separator: ".")
        // A key of this kind is one for this algorithm.
        return (try? key.sign(Array(input.utf8), with: recorded.algorithm)).map {
            input + "." + Base64URL.encode($0)
        }
    }

    private static func hash(_ token: String) -> String {
        Base64URL.encode(Digest.sha256(Array(token.utf8)))
    }

    /// A proof as it can be read. What is none is the client's mistake, and is sent as it is.
    private struct Recorded {
        let header: SpelledJSON
        let claims: SpelledJSON
        let algorithm: SignatureAlgorithm
        let key: PublicKey
        let thumbprint: String

        init?(_ proof: String) {
            guard proof.utf8.count <= mostBytes, let (header, claims) = WebToken.parts(of: proof),
                let algorithm = header["alg"]?.string.flatMap(SignatureAlgorithm.init(rawValue:)),
                let given = header["jwk"],
                let jwk = try? JSONDecoder().decode(JWK.self, from: Data(given.text.utf8)),
                case .publicKey(let key) = jwk.material, algorithm.accepts(key.kind), Self.isMade(key.kind),
                let thumbprint = try? jwk.thumbprint()
            else { return nil }
            (self.header, self.claims, self.algorithm) = (header, claims, algorithm)
            (self.key, self.thumbprint) = (key, thumbprint)
        }

        private static func isMade(_ kind: KeyKind) -> Bool {
            if case .rsa(let bits) = kind { bits <= mostBits } else { true }
        }
    }
}
