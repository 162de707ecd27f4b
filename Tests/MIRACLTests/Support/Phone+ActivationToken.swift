import Crypto
import Essentials
import HTTP
import TestKit
import Testing

@testable import MIRACL

extension Phone {
    /// Registers with a key pair by an activation token, as clients of the third generation do, and chooses the PIN.
    init(
        on bench: TestBench<MIRACL>, user: String = "ada@example.org", activationToken: String,
        secretExponent z: Scalar = Scalar(77_777)
    ) throws {
        let key = try Client.publicKey(for: z)
        let made = try bench.post(
            "/miracl/registration",
            [
                "userId": user, "deviceName": "phone", "activationToken": activationToken,
                "publicKey": Hex.encode(key.bytes),
            ])
        try #require(made.status == .ok, "\(made.text)")
        let shares = try (made.members["secretUrls"]?.strings ?? []).map { url in
            try G1Point(hex: text(bench.fetch(url).members, "dvsClientSecret"))
        }
        try #require(shares.count == 2)
        (self.bench, userID, regOTT, publicKey) = (bench, user, "", key)
        (mpinID, dtas) = (try text(made.members, "mpinId"), try text(made.members, "dtas"))
        client = Client(
            MPinIdentity(try #require(Hex.decode(mpinID)), publicKey: key), secrets: (shares[0], shares[1]),
            pin: Self.pin, secretExponent: z)
    }

    /// Proves the right PIN for the session that waits.
    func signIn(_ accessID: String) throws -> Response { try authenticate(scope: ["oidc"], wid: accessID) }
}
