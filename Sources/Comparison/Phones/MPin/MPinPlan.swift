import Essentials

/// What a recording tells of proofs by M-Pin: which of them a wrong PIN made.
struct MPinPlan: Sendable {
    /// Public keys of clients, which ours take the place of.
    private(set) var publicKeys: [String] = []
    /// One-time tokens of proofs, as the second pass gave them.
    private(set) var given: Set<String> = []
    /// Those whose verdict was a refusal of the PIN.
    private(set) var refused: Set<String> = []
    /// The first points of signatures that did not hold.
    private(set) var wrongSignatures: Set<String> = []

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
        if let key = MPinMessage.publicKey(asked, place), publicKeys.count < Self.mostKeys,
            !publicKeys.contains(key)
        {
            publicKeys.append(key)
        }
        let isRefused = [401, 410].contains(exchange.response.status)
        switch place.path {
        case _ where place.path.hasSuffix("/pass2"):
            if let token = SpelledJSON(exchange.response.body)?["authOTT"]?.string { given.insert(token) }
        case _ where place.path.hasSuffix("/authenticate"):
            if isRefused, let token = MPinMessage.token(asked) { refused.insert(token) }
        case "/dvs/verify":
            if isRefused, let point = asked?["signature"]?["u"]?.string { wrongSignatures.insert(point) }
        default: break
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

    /// The one-time token that asks for a verdict; the classic SDK wraps it.
    static func token(_ asked: SpelledJSON?) -> String? {
        (asked?["authOTT"] ?? asked?["mpinResponse"]?["authOTT"])?.string
    }
}
