import Essentials
import Testing
import WebAuthn

@testable import Hanko

struct PostedCredentialTests {
    @Test func `members are found in any case, in their own first`() {
        let value: Essentials.JSONValue = ["clientDataJson": 1, "ID": 2, "id": 3, "Id": 4]

        #expect(value.member("clientDataJSON") == 1)
        #expect(value.member("id") == 3)
        #expect(value.member("iD") == 2)
        #expect(value.member("rawId") == nil)
        #expect(Essentials.JSONValue.string("id").member("id") == nil)
    }

    @Test func `a user's handle is the 16 bytes of the id, and back`() {
        let bytes: [UInt8] = [0xAD, 0xA0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1]

        #expect(UUIDText.bytes(of: Ada.id) == bytes)
        #expect(UUIDText.bytes(of: Ada.id.uppercased()) == bytes)
        #expect(UUIDText.text(of: bytes) == Ada.id)
        #expect(UUIDText.bytes(of: "ada") == nil)
        #expect(UUIDText.text(of: Array(bytes.dropLast())) == nil)
    }

    @Test func `authenticators that vendors publish have names`() {
        #expect(
            AuthenticatorNames.name(of: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4") == "Google Password Manager")
        #expect(AuthenticatorNames.name(of: "00000000-0000-0000-0000-000000000000") == nil)
    }

    @Test(arguments: [
        (PasskeyRefusal.userUnknown("x"), "unknown user"),
        (PasskeyRefusal.userOfResponseGone("x"), "unknown user"),
        (
            PasskeyRefusal.challengeUnknown("x", encodedTwice: nil, .registration),
            "received unknown challenge"
        ),
        (PasswordRefusal.absent(userID: "x"), "user has no password credential"),
        (PasswordRefusal.wrong(userID: "x", isRightTrimmed: false), "password hash not equal"),
        (.passcodeExhausted("x"), "max attempts reached"),
        (.passcodeUnknown("x"), "unknown passcode"),
        (.addressOfAnother("a", userID: "x"), "Forbidden"),
        (PasskeyRefusal.userIDUnparsable("x"), "failed to parse UserID as uuid"),
    ])
    func `the audit log hears the cause in the original's words`(refusal: HankoRefusal, note: String) {
        #expect(refusal.auditNote == note)
        let standing = RateLimit(limit: 3, remaining: 2, resetSeconds: 60, isGranted: true)
        #expect(HankoRefusal.limited(standing, refusal).auditNote == note)
    }
}
