import Essentials
import JOSE
import PlatformKit
import Synchronization
import TestKit
import Testing

struct TokenOrderTests {
    private static let claims: JSONValue = ["sub": "ada", "iss": "here"]

    private let bench: TestBench<Acme>
    private let keys: [JWK]

    init() throws {
        bench = try TestBench(Acme.self)
        keys = try bench.world.services.keys.published(Acme.name).map(\.jwk)
    }

    private func token(in world: World, type: String = "JWT") throws -> String {
        let services = world.services
        let key = try services.keys.signing(Acme.name, .rs256)
        return try services.sign(
            Self.claims, SigningSubject(Acme.name, "thing", user: "ada"), with: key, type: type)
    }

    @Test func `a token is signed as it is, under the type that it has`() throws {
        for type in ["JWT", "at+jwt", "logout+jwt"] {
            let verified = try JWS.verify(token(in: bench.world, type: type), keys: keys)
            #expect(verified.payload == Self.claims.bytes)
            #expect(verified.header == JWSHeader(.rs256, keyID: TestKeys.rsaID, type: type))
        }
    }

    @Test func `what shall be otherwise is asked for each token, by kind and user`() throws {
        let asked = Mutex<[SigningSubject]>([])
        let world = bench.world.changing(
            TokenAlterations { order in
                asked.withLock { orders in
                    orders.append(order)
                    return orders.count == 1 ? TokenAlteration(flaw: .damagedSignature) : nil
                }
            })

        #expect(throws: JOSEError.signatureWrong(keyID: TestKeys.rsaID)) {
            try JWS.verify(token(in: world), keys: keys)
        }
        #expect(try JWS.verify(token(in: world), keys: keys).payload == Self.claims.bytes)
        let order = SigningSubject(Acme.name, "thing", user: "ada")
        #expect(asked.withLock { $0 } == [order, order])
    }

    @Test func `claims and key can be others`() throws {
        let other = try bench.world.services.keys.signing(Acme.name, .es256)
        let world = bench.world.changing(
            TokenAlterations { _ in TokenAlteration(claims: ["sub": "grace", "level": 3], key: other) })

        let verified = try JWS.verify(token(in: world), keys: keys)
        #expect(verified.header.keyID == TestKeys.ecID)
        #expect(try JSONValue(parsing: verified.payload) == ["sub": "grace", "level": 3, "iss": "here"])
    }

    @Test func `a time that is wrong is wrong by the world's clock`() throws {
        let world = bench.world.changing(TokenAlterations { _ in TokenAlteration(flaw: .expired) })

        let now = bench.world.clock.now
        #expect(throws: JOSEError.expired(secondsAgo: 3600)) {
            try JWT.verify(token(in: world), keys: keys, at: now)
        }
    }
}
