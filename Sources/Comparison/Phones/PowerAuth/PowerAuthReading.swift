import Crypto
import Essentials
import HTTP

/// What back ends hear of an activation.
struct PowerAuthFacts: Sendable {
    /// The code that makes it, with the OTP that the request for it named, and the number of the exchange.
    var code: (text: String, otp: String?, number: Int)?
    var user: String?
    var platform: String?
    var deviceInfo: String?
    var names: [(number: Int, name: String)] = []
    /// The number of the first exchange in which a back end heard of it.
    var heard: Int?

    mutating func read(_ json: SpelledJSON, _ exchange: Exchange) {
        func text(_ names: String...) -> String? {
            names.lazy.compactMap { json[$0]?.string }.first { !$0.isEmpty }
        }
        if code == nil, let told = text("activationCode", "activationQrCodeData") {
            code = (told, Self.otp(exchange.request), exchange.number)
        }
        heard = heard ?? exchange.number
        user = user ?? text("userId")
        platform = platform ?? text("platform")
        deviceInfo = deviceInfo ?? text("deviceInfo")
        if let name = text("activationName", "name") { names.append((exchange.number, name)) }
    }

    private static func otp(_ request: RecordedRequest) -> String? {
        // What is no JSON names none.
        guard let json = SpelledJSON(request.body) else { return nil }
        let order = json["requestObject"] ?? json
        let phases = ["commitPhase", "otpValidation", "activationOtpValidation"].compactMap {
            order[$0]?.string
        }
        // One that is asked for at the commit is no phone's.
        guard phases.contains("ON_KEY_EXCHANGE") else { return nil }
        return order["activationOtp"]?.string ?? order["otp"]?.string
    }
}

/// Reads the exchanges of a recording one by one.
struct PowerAuthReading {
    struct TokenUse {
        let number: Int
        var activation: String?
        var needsTwoFactors = false
    }

    /// A header field of a phone that back ends had verified.
    struct Check: Sendable {
        let uriID: String?
        /// Whether one of them heard that it is right.
        let isValid: Bool
    }

    private(set) var facts: [String: PowerAuthFacts] = [:]
    /// The first exchange in which a phone names its activation.
    private(set) var mentions: [String: Int] = [:]
    private(set) var creations: [Int] = []
    private(set) var tokenCreations: [(number: Int, activation: String, factors: String)] = []
    private(set) var tokenUses: [String: TokenUse] = [:]
    private(set) var checks: [String: Check] = [:]
    /// Suites of protocol 4.0, by the ids of temporary keys and of activations.
    private(set) var keySuites: [String: String] = [:]
    private(set) var activationSuites: [String: String] = [:]

    private static let mounts: Set = ["enrollment-server", "powerauth-cloud", "powerauth-java-server"]
    private static let depthLimit = 6

    mutating func read(_ exchange: Exchange, _ place: Bases.Place) {
        // What is no JSON says nothing that is looked for.
        let asked = SpelledJSON(exchange.request.body)
        let fields = Fields(exchange.request.headers, asked)
        mention(fields, exchange)
        guard Self.mounts.contains(place.mount) else { return }
        let isAccepted = 200..<300 ~= exchange.response.status
        let told = isAccepted ? SpelledJSON(exchange.response.body) : nil
        switch place.path.mergedSlashes {
        case "/pa/v4/keystore/create":
            guard let suite = fields.suite else { break }
            if let id = fields.activations.first { activationSuites[id] = suite }
            if let id = Self.temporaryKey(told) { keySuites[id] = suite }
        case "/pa/v3/activation/create", "/pa/v4/activation/create":
            if isAccepted { creations.append(exchange.number) }
        case "/pa/v3/token/create", "/pa/v4/token/create":
            if isAccepted, let id = fields.signer, let factors = fields.code?.factors {
                tokenCreations.append((exchange.number, id, factors))
            }
        case "/pa/v3/token/remove", "/pa/v4/token/remove":
            if let id = asked?["requestObject"]?["tokenId"]?.string {
                use(id, exchange.number, of: fields.signer)
            }
        default: break
        }
        let isUnknown = Self.verdict(told) == false && told?["registrationId"] == nil
        if let id = fields.token?["token_id"], !isUnknown {
            use(
                id, exchange.number,
                of: fields.encryption?["activation_id"] ?? told?["registrationId"]?.string,
                needsTwoFactors: place.path.hasSuffix("/activation/detail"))
        }
        guard let told else { return }
        if let header = asked?["authHeader"]?.string, checks[header]?.isValid != true {
            checks[header] = Check(
                uriID: asked?["uriId"]?.string, isValid: Self.verdict(told) ?? false)
        }
        collect(told, exchange, depth: 0)
    }

    /// The id in an answer of protocol 4.0: a JWS in the general serialization, as an object or as a text. Source: RFC 7515 §7.2.1.
    private static func temporaryKey(_ told: SpelledJSON?) -> String? {
        let jwt = told?["responseObject"]?["jwt"]
        let jws = jwt?.string.flatMap { SpelledJSON(Array($0.utf8)) } ?? jwt
        let payload = jws?["payload"]?.string.flatMap { Base64URL.decode($0) }
        return payload.flatMap { SpelledJSON($0) }?["keyId"]?.string
    }

    /// What a back end heard of a code or a token.
    static func verdict(_ told: SpelledJSON?) -> Bool? {
        guard case .boolean(let isValid) = told?["signatureValid"] ?? told?["tokenValid"] else { return nil }
        return isValid
    }

    private mutating func mention(_ fields: Fields, _ exchange: Exchange) {
        for id in fields.activations where mentions[id] == nil { mentions[id] = exchange.number }
    }

    private mutating func use(
        _ token: String, _ number: Int, of activation: String?, needsTwoFactors: Bool = false
    ) {
        var use = tokenUses[token] ?? TokenUse(number: number)
        use.activation = use.activation ?? activation
        use.needsTwoFactors = use.needsTwoFactors || needsTwoFactors
        tokenUses[token] = use
    }

    private mutating func collect(_ json: SpelledJSON, _ exchange: Exchange, depth: Int) {
        guard depth < Self.depthLimit else { return }
        if let id = json["registrationId"]?.string ?? json["activationId"]?.string {
            facts[id, default: PowerAuthFacts()].read(json, exchange)
        }
        for member in json.members ?? [] { collect(member.value, exchange, depth: depth + 1) }
        for element in json.array ?? [] { collect(element, exchange, depth: depth + 1) }
    }
}

extension PowerAuthReading {
    /// What a phone says of itself in a request, or a back end for it.
    private struct Fields {
        let code: ProofFields?
        let token: ProofFields?
        let encryption: ProofFields?
        let activations: [String]
        /// Of protocol 4.0, in a request for a temporary key.
        let suite: String?

        init(_ headers: Headers, _ asked: SpelledJSON?) {
            let handed = ProofFields(asked?["authHeader"]?.string)
            code = ProofFields(headers[ProofFields.authorization]) ?? handed
            token =
                ProofFields(headers[ProofFields.token]) ?? (handed?["token_id"] == nil ? nil : handed)
            encryption = ProofFields(headers[ProofFields.encryption])
            let object = asked?["requestObject"]
            let claims = object?["jwt"]?.string.flatMap { WebToken.parts(of: $0)?.claims }
            suite = claims?["sharedSecretRequest"]?["algorithm"]?.string
            let isStatus = object?["challenge"] != nil
            activations = [
                code?["pa_activation_id"], encryption?["activation_id"], claims?["activationId"]?.string,
                isStatus ? object?["activationId"]?.string : nil,
            ].compactMap { $0 }
        }

        var signer: String? { code?["pa_activation_id"] }
    }
}

extension String {
    /// A path whose base ended in a slash, as it is without.
    var mergedSlashes: String {
        let path = replacing("//", with: "/")
        return path == self ? path : path.mergedSlashes
    }
}
