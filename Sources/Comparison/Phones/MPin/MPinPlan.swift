import Essentials

/// What a recording tells of proofs by M-Pin: which of them a wrong PIN made.
struct MPinPlan: Sendable {
    /// Public keys of clients, which ours take the place of.
    private(set) var publicKeys: [String] = []
    /// One-time tokens of proofs, as the second pass gave them.
    private(set) var given: Set<String> = []
    /// Those whose verdict was a refusal of the PIN.
    private(set) var refused: Set<String> = []
    /// Those of identities that wrong PINs had blocked before, with the number of the exchange that says so.
    private(set) var revived: [String: Int] = [:]
    /// Signatures that held, by their first points: the same is sent with something changed, and refused.
    private(set) var rightSignatures: [String: SpelledJSON] = [:]
    /// The first points of those that were refused.
    private(set) var wrongSignatures: Set<String> = []
    private var provers: [String: String] = [:]
    private var blocked: [String: Int] = [:]

    static let mount = "miracl"
    /// A recording comes from anywhere, and a key takes some milliseconds.
    private static let mostKeys = 40

    init(_ exchanges: [Exchange], _ bases: Bases) {
        for exchange in exchanges {
            guard let place = bases.place(of: exchange.request.url), place.mount == Self.mount else {
                continue
            }
            read(exchange, place)
        }
    }

    private mutating func read(_ exchange: Exchange, _ place: Bases.Place) {
        let asked = SpelledJSON(exchange.request.body)
        // A key that was refused was wrong, and stays what it is.
        if exchange.response.status < 400, let key = MPinMessage.publicKey(asked, place),
            publicKeys.count < Self.mostKeys, !publicKeys.contains(key)
        {
            publicKeys.append(key)
        }
        let isRefused = [401, 410].contains(exchange.response.status)
        switch place.path {
        case _ where place.path.hasSuffix("/pass2"):
            if let token = SpelledJSON(exchange.response.body)?["authOTT"]?.string {
                given.insert(token)
                provers[token] = asked?["mpin_id"]?.string
            }
        case _ where place.path.hasSuffix("/authenticate"):
            guard let token = MPinMessage.token(asked) else { return }
            if isRefused { refused.insert(token) }
            judge(token, exchange)
        case "/dvs/verify":
            guard let signature = asked?.anyCase("signature")?.value,
                let point = signature.text("u")
            else { return }
            if isRefused { wrongSignatures.insert(point) }
            if exchange.response.status < 400 { rightSignatures[point] = signature }
        default: break
        }
    }
}

extension MPinPlan {
    /// What is blocked stays so, unless somebody ends it by another way than the recording shows.
    private mutating func judge(_ token: String, _ exchange: Exchange) {
        guard let id = provers[token] else { return }
        if exchange.response.status == 410 {
            blocked[id] = blocked[id] ?? exchange.number
        } else if let number = blocked[id] {
            revived[token] = number
        }
    }
}

/// Members of the messages of M-Pin.
enum MPinMessage {
    /// The new public key of a registration, in the body or behind the question mark.
    static func publicKey(_ asked: SpelledJSON?, _ place: Bases.Place) -> String? {
        let key =
            asked?["publicKey"]?.string
            ?? place.query.flatMap { query in
                query.split(separator: "&").first { $0.hasPrefix("publicKey=") }.map {
                    String($0.dropFirst(10))
                }
            }
        return key.flatMap { $0.utf8.count == 256 && $0.utf8.allSatisfy { $0.hexDigit != nil } ? $0 : nil }
    }

    /// Whether it is a signature: the service takes the names of its members in any case, and its time beside it.
    static func isSignature(_ json: SpelledJSON) -> Bool {
        ["u", "v", "hash", "mpinId"].allSatisfy { json.anyCase($0) != nil }
    }

    /// The one-time token that asks for a verdict; the classic SDK wraps it.
    static func token(_ asked: SpelledJSON?) -> String? {
        (asked?["authOTT"] ?? asked?["mpinResponse"]?["authOTT"])?.string
    }
}
