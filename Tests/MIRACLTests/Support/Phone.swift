import Crypto
import Essentials
import HTTP
import TestKit
import Testing

@testable import MIRACL

/// A phone with an identity: it registers at the endpoints and proves with the client's own equations.
struct Phone {
    let bench: TestBench<MIRACL>
    let userID: String
    var mpinID: String
    let regOTT: String
    var publicKey: G2Point?
    var client: Client
    var dtas: String

    static let pin = 1234

    /// Registers in the first project of ``TestBench/shop(project:section:)``, chooses the PIN, and proves itself once.
    ///
    /// - Parameter key: the client's secret exponent; nil for an identity without a key pair.
    init(_ bench: TestBench<MIRACL>, _ userID: String = "ada@example.com", key z: Scalar? = nil) throws {
        try self.init(on: bench, user: userID, project: Shop.project, key: z)
        #expect(try authenticate().status == .ok)
    }

    /// Registers and chooses the PIN, in a project that forces activation.
    init(
        on bench: TestBench<MIRACL>, user userID: String = "ada@example.org", device: String = "phone",
        project: String? = nil, key z: Scalar? = nil
    ) throws {
        var headers: Headers = [:]
        headers["X-MIRACL-CID"] = project
        let begun = try bench.put(
            "/miracl/rps/v2/user", ["userId": userID, "deviceName": device], headers: headers)
        try #require(begun.status == .ok, "\(begun.text)")
        let (mpinID, regOTT) = (try text(begun.members, "mpinId"), try text(begun.members, "regOTT"))
        let publicKey = try z.map { try Client.publicKey(for: $0) }
        let query = "regOTT=\(regOTT)" + (publicKey.map { "&publicKey=" + Hex.encode($0.bytes) } ?? "")
        let share = bench.get("/miracl/rps/v2/signature/\(mpinID)?\(query)")
        try #require(share.status == .ok, "\(share.text)")
        let client = try Self.client(share.members, mpinID, publicKey, z, on: bench)
        (self.bench, self.userID, self.mpinID, self.regOTT) = (bench, userID, mpinID, regOTT)
        (self.publicKey, self.client, dtas) = (publicKey, client, try text(share.members, "dtas"))
    }

    /// Registers with a key pair, as clients of the third generation do, by what a confirmation gave.
    init(
        on bench: TestBench<MIRACL>, user userID: String = "ada@example.org", activationToken: String,
        secretExponent z: Scalar = Scalar(77_777)
    ) throws {
        let key = try Client.publicKey(for: z)
        let made = try bench.post(
            "/miracl/registration",
            [
                "userId": userID, "deviceName": "phone", "activationToken": activationToken,
                "publicKey": Hex.encode(key.bytes),
            ])
        try #require(made.status == .ok, "\(made.text)")
        let urls = try #require(made.members["secretUrls"]?.strings)
        let shares = try urls.map { url in
            try G1Point(hex: text(bench.fetch(url).members, "dvsClientSecret"))
        }
        try #require(shares.count == 2)
        let mpinID = try text(made.members, "mpinId")
        (self.bench, self.userID, self.mpinID, regOTT) = (bench, userID, mpinID, "")
        (publicKey, dtas) = (key, try text(made.members, "dtas"))
        client = Client(
            MPinIdentity(try #require(Hex.decode(mpinID)), publicKey: key), secrets: (shares[0], shares[1]),
            pin: Self.pin, secretExponent: z)
    }

    private init(of phone: Phone, on bench: TestBench<MIRACL>) {
        (self.bench, userID, mpinID, regOTT) = (bench, phone.userID, phone.mpinID, phone.regOTT)
        (publicKey, client, dtas) = (phone.publicKey, phone.client, phone.dtas)
    }

    /// What becomes of the shares that an answer brings.
    static func client(
        _ answer: [String: JSONValue], _ mpinID: String, _ publicKey: G2Point?, _ z: Scalar?,
        on bench: TestBench<MIRACL>
    ) throws -> Client {
        let first = try text(answer, publicKey == nil ? "clientSecretShare" : "dvsClientSecretShare")
        let second = try text(bench.fetch(text(answer, "cs2url")).members, "clientSecret")
        return Client(
            MPinIdentity(try #require(Hex.decode(mpinID)), publicKey: publicKey),
            secrets: (try G1Point(hex: first), try G1Point(hex: second)), pin: pin, secretExponent: z)
    }

    /// The same phone, talking to another server.
    func moved(to other: TestBench<MIRACL>) -> Phone { Phone(of: self, on: other) }

    var keyText: String { publicKey.map { Hex.encode($0.bytes) } ?? "" }
}

// MARK: Proofs

extension Phone {
    /// Both passes.
    ///
    /// - Returns: the answer to the second, or to the first when that is refused.
    private func passes(pin: Int, scope: [String], wid: String?) throws -> Response {
        let x = number("commitment of \(mpinID)")
        let first = try bench.post(
            "/miracl/rps/v2/pass1",
            [
                "mpin_id": .string(mpinID), "U": .string(client.commitment(x).u.hex), "UT": "",
                "dtas": .string(dtas), "publicKey": .string(keyText), "scope": JSONValue(scope), "pass": 1,
            ] as [String: JSONValue])
        guard first.status == .ok else { return first }
        let v = client.proof(x, challenge: try Scalar(hex: text(first.members, "y")), pin: pin)
        return try bench.post(
            "/miracl/rps/v2/pass2",
            [
                "mpin_id": .string(mpinID), "V": .string(v.hex), "WID": .string(wid ?? "0"), "pass": 2,
            ] as [String: JSONValue])
    }

    /// - Returns: `authOTT`.
    func prove(pin: Int = pin, scope: [String] = ["jwt"], wid: String? = nil) throws -> String {
        try text(passes(pin: pin, scope: scope, wid: wid).members, "authOTT")
    }

    /// Both passes, and what becomes of them.
    ///
    /// - Parameter scope: without a word `oidc` where there is a session to finish, `jwt` elsewhere.
    func authenticate(
        pin: Int = pin, scope: [String]? = nil, wid: String? = nil, wam: Bool = false
    ) throws -> Response {
        let answer = try passes(pin: pin, scope: scope ?? [wid == nil ? "jwt" : "oidc"], wid: wid)
        guard let authOTT = answer.members["authOTT"]?.string else { return answer }
        return try bench.post(
            "/miracl/rps/v2/authenticate",
            wam ? ["authOTT": authOTT, "wam": "dvs"] : ["authOTT": authOTT])
    }

    /// A signature as libraries send it.
    func signature(
        of hash: String, at timestamp: Int, pin: Int = Phone.pin, signing message: [UInt8]? = nil
    ) throws -> [String: JSONValue] {
        let x = number("signature of \(hash)")
        let commitment = client.commitment(x)
        let challenge = commitment.challenge(
            timestamp: try #require(UInt32(exactly: timestamp)),
            message: try message ?? #require(Hex.decode(hash)))
        return [
            "hash": .string(hash), "mpinId": .string(mpinID), "u": .string(commitment.u.hex),
            "v": .string(client.proof(x, challenge: challenge, pin: pin).hex),
            "publicKey": .string(keyText), "dtas": .string(dtas),
        ]
    }
}

func text(_ object: [String: JSONValue], _ name: String) throws -> String {
    try #require(object[name]?.string, "\(name)")
}

extension TestBench where P == MIRACL {
    /// A URL that the platform handed out.
    func fetch(_ url: String) -> Response { get(url.path) }
}

extension Response {
    /// Members of the JSON body; none when it is not an object.
    var members: [String: JSONValue] { (try? JSONValue(parsing: bytes))?.object ?? [:] }
}

extension String {
    /// What stands behind scheme and authority of a URL.
    var path: String {
        guard let scheme = firstRange(of: "://") else { return self }
        return String(self[scheme.upperBound...].drop { $0 != "/" })
    }
}
