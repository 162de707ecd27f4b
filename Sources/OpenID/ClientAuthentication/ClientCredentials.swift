import Essentials
import HTTP

/// What a request says about the client that sent it, before anything of it is believed. Source: RFC 6749 §2.3; RFC 7521 §4.2.
struct ClientCredentials: Sendable {
    enum Proof: Sendable {
        /// Name and secret with their form encoding taken off, and as they came where that differs: not every client encodes
        /// them. Source: RFC 6749 §2.3.1.
        case basic([Pair])
        case post(Pair)
        /// A signed JWT, and the `client_id` that came beside it.
        case assertion(String, clientID: String?)
        case none(clientID: String)
    }

    struct Pair: Sendable, Equatable {
        let id: String
        let secret: String
    }

    let proof: Proof
    /// The scheme of the `Authorization` field, where the client used it.
    let scheme: String?
}

extension ClientCredentials {
    static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// - Parameter allowsBearer: whether the assertion may be a bearer token, as management APIs have it.
    /// - Throws: ``ClientRefusal``.
    init(_ request: Request, _ form: Form, allowsBearer: Bool) throws {
        let form = try CredentialForm(form)
        let headers = request.headers.values(of: "Authorization")
        guard headers.count <= 1 else { throw ClientRefusal.repeated("Authorization") }
        guard let header = headers.first else {
            (proof, scheme) = (try form.proof(), nil)
            return
        }
        let (word, value) = Self.split(header)
        scheme = word
        if word.equalsIgnoringCase("Basic") {
            proof = .basic(try Self.pairs(value))
        } else if word.equalsIgnoringCase("Bearer"), allowsBearer {
            proof = .assertion(value, clientID: form.id)
        } else {
            throw ClientRefusal.schemeUnknown(word, allowsBearer: allowsBearer)
        }
        try form.refuseProof(beside: word)
        try refuseOtherName(form.id)
    }

    private func refuseOtherName(_ id: String?) throws {
        guard case .basic(let pairs) = proof, let id, !pairs.contains(where: { $0.id == id }) else { return }
        throw ClientRefusal.namesDiffer(header: pairs[0].id, body: id)
    }

    /// Source: RFC 9110 §11.4.
    private static func split(_ header: String) -> (scheme: String, value: String) {
        let space = header.utf8.firstIndex(of: UInt8(ascii: " ")) ?? header.endIndex
        let value = header.utf8[space...].drop { $0 == UInt8(ascii: " ") }
        return (String(header[..<space]), String(Substring(value)))
    }

    /// Source: RFC 7617 §2; RFC 6749 §2.3.1.
    private static func pairs(_ value: String) throws -> [Pair] {
        let plain: Pair
        do {
            let credentials = try BasicCredentials(parsing: value)
            plain = Pair(id: credentials.name, secret: credentials.password)
        } catch {
            throw ClientRefusal.basicMalformed(error.rawValue)
        }
        let isEncoded = [plain.id, plain.secret].contains { text in
            text.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        }
        guard isEncoded else { return [plain] }
        return [Pair(id: Form.decode(plain.id), secret: Form.decode(plain.secret)), plain]
    }
}

extension CredentialForm {
    /// What the form alone proves.
    func proof() throws -> ClientCredentials.Proof {
        if assertion != nil || assertionType != nil {
            guard secret == nil else {
                throw ClientRefusal.twoMethods("client_secret", "client_assertion", clientID: id)
            }
            guard assertionType == ClientCredentials.assertionType else {
                throw ClientRefusal.assertionTypeWrong(
                    assertionType, expected: ClientCredentials.assertionType, clientID: id)
            }
            guard let assertion else { throw ClientRefusal.assertionMissing(clientID: id) }
            return .assertion(assertion, clientID: id)
        }
        guard let id else { throw secret == nil ? ClientRefusal.nothing : .nameMissing }
        return secret.map { .post(.init(id: id, secret: $0)) } ?? .none(clientID: id)
    }
}
