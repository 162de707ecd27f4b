import Crypto
import Essentials
import HTTP
import JOSE

/// A JWT by which the sender of a request shows that it has a private key. Source: RFC 9449 §4.
struct DPoPProof: Sendable {
    /// RFC 7638 thumbprint of the key: the `jkt` of what is bound to it.
    let thumbprint: String
    let id: String
    let method: String
    let address: String
    /// Seconds since 1970.
    let issuedAt: Double
    let nonce: String?
    /// `ath`
    let tokenHash: String?

    private static let mostBytes = 16_384

    /// Reads a proof and checks its form and signature. Source: RFC 9449 §4.3, steps 2 to 7.
    ///
    /// - Parameter algorithms: those that the server takes.
    /// - Throws: ``DPoPFault``.
    init(_ text: String, among algorithms: [String] = DPoPRules.algorithms) throws {
        guard text.utf8.count <= Self.mostBytes else {
            throw DPoPFault.unreadable("it has more than \(Self.mostBytes) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]) else {
            throw DPoPFault.unreadable("it is not a JWT of three parts in base64url")
        }
        guard header["typ"]?.string == "dpop+jwt" else { throw DPoPFault.typeWrong(header["typ"]?.text) }
        let algorithm = header["alg"]?.string ?? "none"
        guard algorithms.contains(algorithm) else { throw DPoPFault.algorithmWrong(algorithm) }
        let key = try Self.key(header["jwk"])
        do {
            _ = try JWS.verify(text, keys: [JWK(key)])
            thumbprint = try JWK(key).thumbprint()
        } catch let error as JOSEError {
            throw DPoPFault.notVerified(error.description)
        }
        (id, method) = (try Self.text("jti", claims), try Self.text("htm", claims))
        address = try Self.text("htu", claims)
        guard let seconds = claims["iat"]?.seconds else { throw DPoPFault.claimMissing("iat") }
        (issuedAt, nonce, tokenHash) = (seconds, claims["nonce"]?.string, claims["ath"]?.string)
        guard id.utf8.count <= 255 else { throw DPoPFault.unreadable("its jti has more than 255 bytes") }
    }

    private static func object(_ text: Substring) -> JSONValue? {
        // Why it is no JSON does not matter.
        guard let bytes = Base64URL.decode(text), let value = try? JSONValue(parsing: bytes),
            value.object != nil
        else { return nil }
        return value
    }

    private static func text(_ name: String, _ claims: JSONValue) throws -> String {
        guard let text = claims[name]?.string, !text.isEmpty else { throw DPoPFault.claimMissing(name) }
        return text
    }

    /// The public key of the header. Source: RFC 9449 §4.2.
    private static func key(_ value: JSONValue?) throws -> KeyMaterial {
        guard let value, value.object != nil else { throw DPoPFault.keyWrong("the header has no jwk") }
        do {
            switch try JSONDecoder().decode(JWK.self, from: Data(value.bytes)).material {
            case .publicKey(let key): return .publicKey(key)
            case .privateKey:
                throw DPoPFault.keyWrong("the jwk has its private part, which nobody else may see")
            case .secret: throw DPoPFault.keyWrong("the jwk is a shared secret")
            }
        } catch let error as DecodingError {
            throw DPoPFault.keyWrong("the jwk cannot be read: \(error.sentence)")
        }
    }
}

extension DPoPProof {
    /// Whether the proof was made for this request. Source: RFC 9449 §4.3, steps 8 and 9.
    ///
    /// - Parameter addresses: of the request, under each name by which the client may know it.
    func check(_ method: String, _ addresses: [String]) throws {
        guard self.method == method else { throw DPoPFault.methodWrong(expected: method, found: self.method) }
        let found = Self.normal(address)
        guard addresses.contains(where: { Self.normal($0) == found }) else {
            throw DPoPFault.addressWrong(expected: addresses.first ?? "", found: address)
        }
    }

    /// Whether it is of now. Source: RFC 9449 §4.3, step 11.
    func checkTime(_ now: Date) throws {
        let age = now.timeIntervalSince1970 - issuedAt
        guard age <= DPoPRules.mostOld else {
            throw DPoPFault.tooOld(seconds: Int(saturating: age, .toNearestOrAwayFromZero))
        }
        guard -age <= DPoPRules.mostAhead else {
            throw DPoPFault.tooNew(seconds: Int(saturating: -age, .toNearestOrAwayFromZero))
        }
    }

    /// Whether it is for this access token. Source: RFC 9449 §4.3, step 12.
    func check(token: String) throws {
        guard let tokenHash else { throw DPoPFault.claimMissing("ath") }
        let expected = Self.hash(token)
        guard tokenHash == expected else { throw DPoPFault.hashWrong(expected: expected, found: tokenHash) }
    }

    /// `ath`. Source: RFC 9449 §4.2.
    static func hash(_ token: String) -> String { Base64URL.encode(Digest.sha256(Array(token.utf8))) }

    /// Without query and fragment, scheme and host in lower case, without the scheme's own port. Source: RFC 9449 §4.3; RFC 3986 §6.2.
    private static func normal(_ url: String) -> String {
        let bare = url.prefix { $0 != "?" && $0 != "#" }
        guard let colon = bare.firstRange(of: "://") else { return String(bare) }
        let scheme = bare[..<colon.lowerBound].asciiLowercased
        let rest = bare[colon.upperBound...]
        var authority = rest.prefix { $0 != "/" }.asciiLowercased
        let path = rest.dropFirst(authority.count)
        let port = ["http": ":80", "https": ":443"][scheme] ?? ":"
        if authority.hasSuffix(port) { authority.removeLast(port.count) }
        return "\(scheme)://\(authority)\(path.isEmpty ? "/" : String(path))"
    }
}

extension JSONValue {
    /// A number of seconds.
    var seconds: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number.isFinite ? number : nil
        default: nil
        }
    }
}
