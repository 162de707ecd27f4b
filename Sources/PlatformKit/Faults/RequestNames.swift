import Crypto
package import Essentials
package import HTTP

/// Whom a request names, as far as it can be seen without believing it: what ``FaultMatch/user`` and ``FaultMatch/client`` are held
/// against.
///
/// For all platforms: each segment of the path (both); the members of the query, of a form, and of a JSON body two levels deep, by the
/// names below; the user of HTTP Basic (client); and the claims `sub`, `email`, `username`, `client_id` and `azp` of JWTs in the fields
/// `Authorization` and `Cookie`. A platform adds whose an opaque token is.
package struct RequestNames: Sendable, Equatable {
    package var users: Set<String> = []
    package var clients: Set<String> = []

    /// In lower case, without `_` and `-`.
    private static let userMembers: Set<String> = [
        "user", "userid", "username", "externaluserid", "sub", "subject", "email", "login", "loginhint",
        "account",
        "accountid", "prerollid",
    ]
    private static let clientMembers: Set<String> = [
        "client", "clientid", "azp", "app", "appid", "applicationid", "appkey", "applicationkey", "projectid",
        "device", "deviceid", "registrationid", "activationid",
    ]

    package init(_ request: Request) { self.init(request, json: Self.json(of: request)) }

    /// The JSON of a body, where it has some: what is none names nobody.
    package static func json(of request: Request) -> JSONValue? {
        guard !request.isForm, request.body.count <= 1 << 20 else { return nil }
        return try? JSONValue(parsing: request.body)
    }

    /// - Parameter json: ``json(of:)``, for those who need it too.
    package init(_ request: Request, json: JSONValue?) {
        let segments = request.path.split(separator: "/").map(\.percentDecoded)
        users.formUnion(segments)
        clients.formUnion(segments)
        add(request.queryItems)
        if request.isForm { add(request.form) }
        if let json { add(json, depth: 2) }
        addCredentials(request.headers)
    }

    private mutating func add(_ form: Form) {
        for (name, value) in form.pairs { add(name, value) }
    }

    private mutating func add(_ value: JSONValue, depth: Int) {
        guard depth > 0, let members = value.object else { return }
        for (name, value) in members {
            if let text = value.string { add(name, text) } else { add(value, depth: depth - 1) }
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        let plain = name.asciiLowercased.filter { $0 != "_" && $0 != "-" }
        if Self.userMembers.contains(plain) { users.insert(value) }
        if Self.clientMembers.contains(plain) { clients.insert(value) }
    }

    private mutating func addCredentials(_ headers: Headers) {
        // What is no pair of name and password names nobody.
        if let value = headers["Authorization"]?.value(ofScheme: "Basic"),
            let basic = try? BasicCredentials(parsing: value)
        {
            clients.insert(basic.name[...].percentDecoded)
        }
        for text in [headers["Authorization"], headers["Cookie"]].compactMap(\.self) {
            for word in text.utf8.split(whereSeparator: Self.isSeparator) where word.contains(Self.dot) {
                addClaims(of: Substring(word))
            }
        }
    }

    private static let dot = UInt8(ascii: ".")

    /// What parts the words of a header field, byte by byte: the journal's flows look at thousands of them.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private mutating func addClaims(of token: Substring) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 65_536, let bytes = Base64URL.decode(parts[1]),
            // What is no JSON is no JWT.
            let claims = try? JSONValue(parsing: bytes)
        else { return }
        for name in ["sub", "email", "username"] { claims[name]?.string.map { _ = users.insert($0) } }
        claims["email"]?["address"]?.string.map { _ = users.insert($0) }
        for name in ["client_id", "azp"] { claims[name]?.string.map { _ = clients.insert($0) } }
    }
}
