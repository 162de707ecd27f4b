import Essentials
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// Whose an account at a provider becomes. Source: Hanko 2.7, account linking.
@Suite struct ThirdPartyLinkTests {
    private static func config(linking: Bool = true, more: String = "") -> String {
        """
        "third_party": {"providers": {"google": {
            "enabled": true, "client_id": "hanko", "allow_linking": \(linking)
        }}}, \(more)
        """
    }

    private func link(
        _ bench: TestBench<Hanko>, subject: String = "g-1", address: String? = "new@example.com",
        isVerified: Bool = true, isFlow: Bool = false, userID: String? = nil, run: Int = 1
    ) throws -> ThirdPartyLink {
        let hanko = Hanko(bench.world)
        let configuration = try hanko.configuration()
        let provider = try #require(configuration.thirdParty.provider("google"))
        var claims: [String: JSON] = [
            "sub": .string(subject), "email_verified": .boolean(isVerified), "name": "New Comer",
        ]
        claims["email"] = address.map(JSON.string)
        let linker = ThirdPartyLinker(
            account: ThirdPartyAccount(try #require(ProviderUser(claims)), provider), provider: provider,
            state: ThirdPartyState(
                state: "s", provider: "google", redirectTo: "http://localhost:3000", nonce: "n",
                isFlow: isFlow, userID: userID, codeVerifier: nil,
                expiresAt: ManualTime.start.addingTimeInterval(300)),
            configuration: configuration,
            ids: (
                "c0000000-0000-4000-8000-00000000000\(run)", "c0000000-0000-4000-8000-0000000000e\(run)",
                "c0000000-0000-4000-8000-0000000000d\(run)"
            ),
            now: ManualTime.start)
        return try bench.world.database.write { try linker.link(in: $0) }
    }

    private func account(_ id: String, _ bench: TestBench<Hanko>) throws -> Account {
        try #require(try Hanko(bench.world).account(id))
    }

    @Test func `an unknown account with an unknown address signs a user up`() throws {
        let bench = try TestBench.classic(config: Self.config())

        let link = try link(bench)
        let account = try account(link.userID, bench)
        #expect(link.kind == .signedUp && link.userID == "c0000000-0000-4000-8000-000000000001")
        #expect(account.user.name == "New Comer")
        #expect(account.primaryEmail?.address == "new@example.com")
        #expect(account.primaryEmail?.isVerified == true)
        #expect(account.identities.map(\.subject) == ["g-1"])
        #expect(account.identities.first?.emailID == account.primaryEmail?.id)
    }

    @Test func `a known account signs its user in again`() throws {
        let bench = try TestBench.classic(config: Self.config())
        let first = try link(bench)

        let second = try link(bench, run: 2)
        #expect(second.kind == .signedIn)
        #expect(second.userID == first.userID && second.identityID == first.identityID)
    }

    @Test func `a known account whose address changed brings the new one`() throws {
        let bench = try TestBench.classic(config: Self.config())
        let first = try link(bench)

        _ = try link(bench, address: "newer@example.com", run: 2)
        let account = try account(first.userID, bench)
        #expect(account.emails.map(\.address) == ["new@example.com", "newer@example.com"])
        #expect(account.primaryEmail?.address == "new@example.com")
        #expect(account.identities.first?.emailID == account.emails.last?.id)
    }

    @Test func `an address of somebody else does not move`() throws {
        let bench = try TestBench.classic(config: Self.config())
        _ = try link(bench)

        #expect(throws: ThirdPartyRefusal.multipleAccounts(Ada.address, userID: Ada.id)) {
            try link(bench, address: Ada.address, run: 2)
        }
    }

    @Test func `an account with the address of a user is linked where that is allowed`() throws {
        let allowed = try TestBench.classic(config: Self.config())
        let refused = try TestBench.classic(config: Self.config(linking: false))

        let link = try link(allowed, address: Ada.address)
        #expect(link.kind == .linked && link.userID == Ada.id)
        #expect(try account(Ada.id, allowed).identities.first?.emailID == Ada.emailID)
        #expect(throws: ThirdPartyRefusal.userConflict(Ada.address, userID: Ada.id)) {
            try self.link(refused, address: Ada.address)
        }
        #expect(try account(Ada.id, refused).identities.isEmpty)
    }

    @Test func `the classic endpoints refuse an address that the provider has not verified, flows do not`()
        throws
    {
        let bench = try TestBench.classic(config: Self.config())

        #expect(throws: ThirdPartyRefusal.addressUnverified("new@example.com")) {
            try self.link(bench, isVerified: false)
        }
        let link = try self.link(bench, isVerified: false, isFlow: true)
        #expect(try account(link.userID, bench).primaryEmail?.isVerified == false)
    }

    @Test func `nobody is signed up without an address, nor while sign-up is off`() throws {
        let open = try TestBench.classic(config: Self.config())
        let closed = try TestBench.classic(
            config: Self.config(more: "\"account\": {\"allow_signup\": false}"))

        #expect(throws: ThirdPartyRefusal.addressMissing) { try link(open, address: nil) }
        #expect(throws: ThirdPartyRefusal.signupOff) { try link(closed) }
    }

    @Test func `a signed-in user connects an account, unless it is another user's`() throws {
        let bench = try TestBench.classic(config: Self.config())

        let link = try link(bench, address: "ada@provider.test", userID: Ada.id)
        #expect(link.kind == .linked && link.userID == Ada.id)
        #expect(try account(Ada.id, bench).emails.map(\.address) == [Ada.address, "ada@provider.test"])
        #expect(throws: ThirdPartyRefusal.identityTaken(userID: Ada.id)) {
            try self.link(bench, userID: Grace.id, run: 2)
        }
        #expect(throws: ThirdPartyRefusal.userConflict(Ada.address, userID: Ada.id)) {
            try self.link(bench, subject: "g-2", address: Ada.address, userID: Grace.id, run: 3)
        }
    }

    @Test func `a new address needs room`() throws {
        let bench = try TestBench.classic(config: Self.config(more: "\"email\": {\"limit\": 1}"))

        #expect(throws: ThirdPartyRefusal.tooManyAddresses(limit: 1)) {
            try link(bench, address: "second@example.com", userID: Ada.id)
        }
    }

    @Test func `in a flow an unverified address links to its user only with a proof`() throws {
        let bench = try TestBench.classic(config: Self.config())
        let first = try link(bench, address: Ada.address, isVerified: false, isFlow: true)
        #expect(first.kind == .linked && first.userID == Ada.id)
        #expect(try account(Ada.id, bench).identities.map(\.needsProof) == [true])

        // Coming again, or by the classic endpoints, proves nothing.
        _ = try link(bench, address: Ada.address, isVerified: false, isFlow: true, run: 2)
        #expect(try account(Ada.id, bench).identities.map(\.needsProof) == [true])
        #expect(throws: ThirdPartyRefusal.addressUnverified(Ada.address)) {
            try link(bench, address: Ada.address, isVerified: false, run: 3)
        }
        // The provider's word does.
        _ = try link(bench, address: Ada.address, isFlow: true, run: 4)
        #expect(try account(Ada.id, bench).identities.map(\.needsProof) == [false])
    }

    @Test func `where addresses need no verification none has to be proved`() throws {
        let bench = try TestBench.classic(
            config: Self.config(more: "\"email\": {\"require_verification\": false}"))
        _ = try link(bench, address: Ada.address, isVerified: false, isFlow: true)
        #expect(try account(Ada.id, bench).identities.map(\.needsProof) == [false])
    }

    @Test func `another address of an account that is not proved does not become the user's`() throws {
        let bench = try TestBench.classic(config: Self.config())
        _ = try link(bench, address: Ada.address, isVerified: false, isFlow: true)

        _ = try link(bench, address: "mallory@example.com", isFlow: true, run: 2)
        let ada = try account(Ada.id, bench)
        #expect(ada.emails.map(\.address) == [Ada.address])
        #expect(ada.identities.map(\.emailID) == [Ada.emailID])
        #expect(ada.identities.map(\.needsProof) == [true])

        // Whoever is signed in as the user needs no other proof.
        _ = try link(bench, address: Ada.address, isVerified: false, isFlow: true, userID: Ada.id, run: 3)
        #expect(try account(Ada.id, bench).identities.map(\.needsProof) == [false])
    }
}
