import Crypto
import Essentials
import HTTP
import TestKit
import Testing

@testable import MIRACL

/// A phone: it registers at the endpoints and proves with the client's own equations.
struct Handset {
    let bench: TestBench<MIRACL>
    let userID: String
    var mpinID: String
    var publicKey: G2Point?
    var client: Client
    var dtas: String

    static let pin = 1234

    /// Registers, chooses the PIN, and proves itself once.
    ///
    /// - Parameter key: the client's secret exponent; nil for an identity without a key pair.
    init(_ bench: TestBench<MIRACL>, _ userID: String = "ada@example.test", key z: Scalar? = nil) throws {
        let begun = try bench.call(
            .put, "/rps/v2/user", ["userId": .string(userID), "mobile": 1, "deviceName": "Ada's phone"]
        ).object()
        let (mpinID, regOTT) = (try text(begun, "mpinId"), try text(begun, "regOTT"))
        let publicKey = try z.map { try Client.publicKey(for: $0) }
        let query = "regOTT=\(regOTT)" + (publicKey.map { "&publicKey=" + Hex.encode($0.bytes) } ?? "")
        let share = bench.call(.get, "/rps/v2/signature/\(mpinID)?\(query)")
        self.init(
            bench, userID, mpinID, try Self.client(share.object(), mpinID, publicKey, z, on: bench),
            try text(share.object(), "dtas"))
        self.publicKey = publicKey
        #expect(try authenticate().status == .ok)
    }

    private init(
        _ bench: TestBench<MIRACL>, _ userID: String, _ mpinID: String, _ client: Client, _ dtas: String
    ) {
        (self.bench, self.userID, self.mpinID, self.client, self.dtas) = (
            bench, userID, mpinID, client, dtas
        )
    }

    /// What becomes of the shares that an answer brings.
    static func client(
        _ answer: [String: JSONValue], _ mpinID: String, _ publicKey: G2Point?, _ z: Scalar?,
        on bench: TestBench<MIRACL>
    ) throws -> Client {
        let first = try text(answer, publicKey == nil ? "clientSecretShare" : "dvsClientSecretShare")
        let second = try text(bench.fetch(text(answer, "cs2url")).object(), "clientSecret")
        return Client(
            MPinIdentity(try #require(Hex.decode(mpinID)), publicKey: publicKey),
            secrets: (try G1Point(hex: first), try G1Point(hex: second)), pin: pin, secretExponent: z)
    }

    /// The same phone, talking to another server.
    func moved(to other: TestBench<MIRACL>) -> Handset {
        var phone = Handset(other, userID, mpinID, client, dtas)
        phone.publicKey = publicKey
        return phone
    }

    var keyText: String { publicKey.map { Hex.encode($0.bytes) } ?? "" }

    /// Both passes, and what becomes of them.
    func authenticate(
        pin: Int = Handset.pin, scope: [String] = ["jwt"], wid: String? = nil, wam: Bool = false
    ) throws -> Response {
        let x = number("commitment of \(mpinID)")
        let first = bench.call(
            .post, "/rps/v2/pass1",
            [
                "mpin_id": .string(mpinID), "U": .string(client.commitment(x).u.hex), "UT": "",
                "dtas": .string(dtas), "publicKey": .string(keyText), "scope": JSONValue(scope), "pass": 1,
            ])
        guard first.status == .ok else { return first }
        let v = client.proof(x, challenge: try Scalar(hex: text(first.object(), "y")), pin: pin)
        let second = bench.call(
            .post, "/rps/v2/pass2",
            [
                "mpin_id": .string(mpinID), "V": .string(v.hex), "WID": .string(wid ?? "0"), "pass": 2,
            ])
        let authOTT = try text(second.object(), "authOTT")
        return bench.call(
            .post, "/rps/v2/authenticate",
            wam ? ["authOTT": .string(authOTT), "wam": "dvs"] : ["authOTT": .string(authOTT)])
    }

    /// A signature as libraries send it.
    func signature(
        of hash: String, at timestamp: Int, pin: Int = Handset.pin, signing message: [UInt8]? = nil
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
    func fetch(_ url: String) -> Response {
        get(String(url.dropFirst(Self.origin.count)))
    }
}
