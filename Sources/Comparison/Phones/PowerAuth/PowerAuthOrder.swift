import Crypto
import Essentials
import HTTP
import PowerAuthDevice

/// What a recorded phone with PowerAuth did in a request, as far as its route, its header fields and what is not encrypted say.
enum PowerAuthOrder {
    /// An encrypted request whose content follows from its route.
    enum Call {
        case userInfo, upgradeStart, detail, token, vault, rename
        /// Of protocol 4.0.
        case status, configuration, password, biometry
        case upgrade(temporaryKey: String?)

        /// Whether it carries a code or a token.
        var isProven: Bool {
            switch self {
            case .userInfo, .upgradeStart, .status, .configuration: false
            case .detail, .token, .vault, .rename, .password, .biometry, .upgrade: true
            }
        }
    }

    /// A code that a person typed.
    struct TypedCode {
        let text: String
        let nonce: String
        let activation: String
    }

    /// - Parameter suite: of protocol 4.0.
    case temporaryKey(application: String, activation: String?, suite: String?)
    /// - Parameter temporaryKey: by whose id the suite is known.
    case activation(ProofFields, temporaryKey: String?)
    /// Encrypted for an app, and empty.
    case emptyCall(ProofFields, temporaryKey: String?)
    case call(Call, ProofFields, token: ProofFields?)
    case code(PowerAuthCode)
    case token(ProofFields, PowerAuthProof)
    case typed(TypedCode)
    /// Encrypted, and nothing tells what.
    case unreadable

    /// Where apps send to.
    static let mount = "enrollment-server"
    /// Where back ends send to.
    static let cloud = "powerauth-cloud"

    /// Nil for a request that no phone with PowerAuth has to do with.
    init?(_ request: RecordedRequest, mount: String, path: String) {
        let code = ProofFields(request.headers[ProofFields.authorization])
        let token = ProofFields(request.headers[ProofFields.token])
        let encryption = ProofFields(request.headers[ProofFields.encryption])
        if mount == Self.mount, let order = Self.encrypted(request, path, code ?? encryption, token) {
            self = order
        } else if mount == Self.cloud, let order = Self.handed(request, path) {
            self = order
        } else if let code, let proof = PowerAuthProof(request, ProofFields.authorization) {
            let uriID = mount == Self.mount ? Self.uriID(path) : path
            self = .code(PowerAuthCode(fields: code, proof: proof, uriID: uriID))
        } else if let token, let proof = PowerAuthProof(request, ProofFields.token) {
            self = .token(token, proof)
        } else {
            return nil
        }
    }

    private static let calls: [String: Call] = [
        "/pa/v3/user/info": .userInfo, "/pa/v3/upgrade/start": .upgradeStart,
        "/pa/v3/activation/detail": .detail, "/pa/v3/activation/rename": .rename,
        "/pa/v3/token/create": .token, "/pa/v3/vault/unlock": .vault,
        "/pa/v4/user/info": .userInfo, "/pa/v4/activation/status": .status,
        "/pa/v4/activation/detail": .detail, "/pa/v4/activation/rename": .rename,
        "/pa/v4/token/create": .token, "/pa/v4/vault/unlock": .vault,
        "/pa/v4/password/change": .password, "/pa/v4/biometry/add": .biometry,
        "/pa/v4/config/activation": .configuration,
    ]

    private static func encrypted(
        _ request: RecordedRequest, _ path: String, _ fields: ProofFields?, _ token: ProofFields?
    ) -> PowerAuthOrder? {
        // What is no JSON is neither encrypted nor asks for a key.
        guard let json = SpelledJSON(request.body) else { return nil }
        if path == "/pa/v3/keystore/create" || path == "/pa/v4/keystore/create" {
            guard
                let claims = json["requestObject"]?["jwt"]?.string.flatMap({ WebToken.parts(of: $0)?.claims }
                ),
                let application = claims["applicationKey"]?.string
            else { return nil }
            return .temporaryKey(
                application: application, activation: claims["activationId"]?.string,
                suite: claims["sharedSecretRequest"]?["algorithm"]?.string)
        }
        guard json["encryptedData"]?.string != nil, let fields else { return nil }
        let key = json["temporaryKeyId"]?.string
        switch path {
        case "/pa/v3/activation/create", "/pa/v4/activation/create":
            return .activation(fields, temporaryKey: key)
        case "/pa/v4/config/application": return .emptyCall(fields, temporaryKey: key)
        case "/pa/v4/upgrade/start": return .call(.upgrade(temporaryKey: key), fields, token: token)
        default: return calls[path].map { .call($0, fields, token: token) } ?? .unreadable
        }
    }

    private static func handed(_ request: RecordedRequest, _ path: String) -> PowerAuthOrder? {
        if path.hasSuffix("/offline/otp") { return typed(request) }
        guard path.hasSuffix("/verify"), let proof = PowerAuthProof(handedIn: request),
            let fields = ProofFields(proof.text)
        else { return nil }
        guard fields["token_id"] == nil else { return .token(fields, proof) }
        return .code(PowerAuthCode(fields: fields, proof: proof, uriID: ""))
    }

    private static func typed(_ request: RecordedRequest) -> PowerAuthOrder? {
        // What lacks one of these is refused before the code is looked at.
        guard let json = SpelledJSON(request.body), let text = json["otp"]?.string,
            let nonce = json["nonce"]?.string, let id = json["registrationId"]?.string
        else { return nil }
        return .typed(TypedCode(text: text, nonce: nonce, activation: id))
    }

    /// The agreed name of a resource, by the path below the enrollment server.
    private static func uriID(_ path: String) -> String {
        for (start, name) in [
            ("/pa/v3/", "/pa/"), ("/pa/v4/", "/pa/"), ("/api/auth/token/app/operation/", "/operation/"),
        ] where path.hasPrefix(start) {
            return name + path.dropFirst(start.count)
        }
        return path
    }

    /// Whether the phone sends points in 33 bytes.
    static func compressesPoints(_ request: RecordedRequest) -> Bool {
        // What is no JSON has no point.
        let json = SpelledJSON(request.body)
        return json?["ephemeralPublicKey"]?.string.flatMap { Base64.decode($0) }?.count != 65
    }
}

/// A header field in which a phone proves something, in a request of its own or handed on by a back end.
struct PowerAuthProof {
    /// As it was recorded.
    let text: String
    let isHanded: Bool

    init?(_ request: RecordedRequest, _ name: String) {
        guard let text = request.headers[name] else { return nil }
        (self.text, isHanded) = (text, false)
    }

    init?(handedIn request: RecordedRequest) {
        // What is no JSON hands nothing on.
        guard let json = SpelledJSON(request.body), let text = json["authHeader"]?.string
        else { return nil }
        (self.text, isHanded) = (text, true)
    }

    /// Ours in its place, in the layout of the recorded app.
    ///
    /// - Parameter keeping: names of parameters that stay as they were recorded.
    func put(_ ours: String, _ name: String, keeping: Set<String> = [], into request: inout PlayedRequest) {
        let value = ProofFields.laidOut(ours, like: text, keeping: keeping)
        if isHanded {
            request.replace(member: "authHeader", .string(value))
        } else {
            request.replace(field: name, value)
        }
    }

    /// The request that a back end describes; nil in one of the phone's own.
    func handedRequest(_ request: PlayedRequest) -> SpelledJSON? {
        isHanded ? SpelledJSON(request.body) : nil
    }
}

/// An authentication code, and what it is over.
struct PowerAuthCode {
    let fields: ProofFields
    let proof: PowerAuthProof
    let uriID: String

    /// What is signed of a request with the values of a world in it.
    ///
    /// - Parameter known: the name of the resource where a back end told it.
    func content(of request: PlayedRequest, uriID known: String?) -> (
        method: String, uriID: String, body: [UInt8]
    ) {
        guard let json = proof.handedRequest(request) else {
            let query = WebAddress(request.url)?.query ?? ""
            let method = request.method.rawValue
            return (method, known ?? uriID, method == "GET" ? Device.canonicalQuery(query) : request.body)
        }
        let method = json["method"]?.string?.asciiUppercased ?? "POST"
        var body = json["requestBody"]?.string.flatMap { Base64.decode($0) } ?? []
        if method == "GET", let query = json["queryParams"]?.members {
            let pairs = query.map { (name: $0.name, value: $0.value.string ?? "") }
            body = Device.canonicalQuery(Form.encode(pairs))
        }
        return (method, json["uriId"]?.string ?? uriID, body)
    }
}
