import Crypto
import Essentials
import JOSE

/// A JWT by which a client proves who it is. Source: RFC 7523 §3.
struct ClientAssertion {
    /// Header and claims as they stand there, believed by nobody yet.
    private let header: JSONValue
    private let payload: JSONValue

    /// More is no assertion, but work.
    private static let mostBytes = 16_384

    init(unverified jwt: String) throws {
        guard jwt.utf8.count <= Self.mostBytes else {
            throw AssertionFault.unreadable("it has more than \(Self.mostBytes) bytes")
        }
        let parts = jwt.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw AssertionFault.unreadable(
                "it is not a signed JWT: \(parts.count) part\(parts.count == 1 ? "" : "s") between dots instead of 3"
            )
        }
        header = try Self.object(parts[0], "header")
        payload = try Self.object(parts[1], "payload")
    }

    private static func object(_ text: Substring, _ part: String) throws -> JSONValue {
        guard let bytes = Base64URL.decode(text) else {
            throw AssertionFault.unreadable("its \(part) is not base64url without padding")
        }
        // Why it is no JSON does not matter; the sentence says where to look.
        guard let value = try? JSONValue(parsing: bytes), value.object != nil else {
            throw AssertionFault.unreadable("its \(part) is not a JSON object")
        }
        return value
    }

    /// The client that it names as `iss` and `sub`.
    func issuer(clientID: String?) throws -> String {
        guard let issuer = payload["iss"]?.string, !issuer.isEmpty else { throw AssertionFault.issuerMissing }
        guard payload["sub"]?.string == issuer else {
            throw AssertionFault.subjectDiffers(issuer: issuer, subject: payload["sub"]?.string)
        }
        if let clientID, clientID != issuer {
            throw AssertionFault.otherClient(issuer: issuer, clientID: clientID)
        }
        return issuer
    }

    /// - Parameter known: the algorithms that the server takes.
    func checkAlgorithm(_ client: Client, among known: [String]) throws {
        let name = header["alg"]?.string ?? "none"
        let allowed =
            client.metadata.tokenEndpointAuthSigningAlg.map { [$0] }?.filter(known.contains) ?? known
        guard allowed.contains(name) else { throw AssertionFault.algorithmForeign(name, allowed: allowed) }
    }
}

extension ClientAssertion {
    /// The claims behind a signature that was found right.
    struct Claims: Decodable {
        let aud: JSONValue?
        /// Seconds since 1970.
        let exp: Double?
        let jti: String?

        /// How far ahead `exp` may lie, in seconds. Source: Token Server documentation.
        private static let mostAhead = 3600.0

        /// Only asked after ``check(at:audiences:)``.
        var expiry: Date { Date(timeIntervalSince1970: exp ?? 0) }

        /// - Returns: the `jti`; nil without one.
        /// - Parameter isStrict: whether the audience must be a text, as opposed to a list.
        func check(at now: Date, audiences: [String], isStrict: Bool) throws -> String? {
            guard let exp else { throw AssertionFault.expiryMissing }
            let ahead = exp - now.timeIntervalSince1970
            guard ahead <= Self.mostAhead else {
                throw AssertionFault.expiresTooLate(
                    secondsAhead: Int(saturating: ahead, .toNearestOrAwayFromZero))
            }
            if isStrict, aud?.array != nil { throw AssertionFault.audienceList(expected: audiences) }
            let found = aud?.string.map { [$0] } ?? aud?.strings ?? []
            guard found.contains(where: audiences.contains) else {
                throw AssertionFault.audienceWrong(found, expected: audiences)
            }
            guard let jti, !jti.isEmpty else { return nil }
            guard jti.utf8.count <= 255 else { throw AssertionFault.identifierTooLong }
            return jti
        }
    }
}
