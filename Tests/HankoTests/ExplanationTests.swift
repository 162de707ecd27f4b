import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// What the journal says beside the terse answers.
struct ExplanationTests {
    private static let now = Date(timeIntervalSince1970: 1_767_323_045)

    private static let passcode = Passcode(
        id: "ada00000-0000-4000-8000-0000000000c1", userID: Ada.id, emailID: Ada.emailID, code: "000000",
        ttl: 300, createdAt: now.addingTimeInterval(-400))

    private static let standing = RateLimit(limit: 3, remaining: 0, resetSeconds: 41, isGranted: false)

    private static let faults: [SessionRefusal] = [
        .absent, .otherScheme("Basic"), .malformed("it has one part"), .unknownKey("k"), .signatureWrong,
        .expired(seconds: 5, now: now), .withoutSessionID, .removed(Ada.id), .idle(seconds: 1, timeout: 60),
    ]

    private static let violations = [
        Violation(field: "id", rule: .required, value: ""),
        Violation(field: "email", rule: .email, value: "a"),
        Violation(field: "id", rule: .uuid4, value: "7"),
        Violation(field: "id", rule: .uuid4, value: Ada.id.uppercased()),
    ]

    private static let errors: [HankoRefusal] = [
        .mediaTypeUnsupported(""), .mediaTypeUnsupported("text/plain"),
        .invalid(violations, isWrapped: false),
        .rateLimited(standing, calls: "/passcode/login/initialize"), .limited(standing, .emailIDNeeded),
        .switchedOff("passcodes", by: "mfa.enabled must be false"),
        .deletionOff,
        .usersNotListed, .signupOff,
        .unauthorized(faults, clearedCookie: nil), .userNotYours("x", signedInAs: Ada.id),
        .userNotYours(Ada.id.uppercased(), signedInAs: Ada.id), .userGone(Ada.id),
        .addressUnknown(Ada.address, isPending: true), .addressUnknown(Ada.address, isPending: false),
        .addressTaken(Ada.address, userID: Ada.id), .emailIDMalformed("x"), .emailNotYours(Ada.emailID),
        .primaryStays(Ada.address), .addressLimitReached(5), .addressAssigned(Ada.address, isOwn: true),
        .addressAssigned(Ada.address, isOwn: false),
        .userUnknown(Ada.id), .emailIDUnparsable("x", isCookie: false),
        .emailIDUnparsable("x", isCookie: true),
        .emailUnavailable(Ada.emailID, isCookie: false), .emailUnavailable(Ada.emailID, isCookie: true),
        .emailIDNeeded, .addressUndetermined(userID: Ada.id, pending: nil),
        .addressUndetermined(userID: Ada.id, pending: Ada.address),
        .sessionOfAnother(signedInAs: Ada.id, userID: Grace.id),
        .addressOfAnother(Ada.address, userID: Ada.id),
        .passcodeUnknown("x"), .passcodeExpired(passcode, now: now),
        .passcodeWrong("1", triesLeft: 1, isOfAnother: nil),
        .passcodeWrong("1 2345 6", triesLeft: 2, isOfAnother: nil),
        .passcodeWrong("123456", triesLeft: 2, isOfAnother: Ada.id),
        .passcodeWrong("123456", triesLeft: 2, isOfAnother: nil), .passcodeExhausted("123456"),
        .addressClaimed(Ada.address, userID: Ada.id),
        .passcodeOfAnotherUser(signedInAs: Ada.id, userID: Grace.id),
        .addressNeedsSession(Ada.address, userID: Ada.id),
        .removed("POST /users"),
        PasskeyRefusal.userIDUnparsable("x"), PasskeyRefusal.userUnknown(Ada.id),
        PasskeyRefusal.nameless(Ada.id),
        PasskeyRefusal.unreadable(PostedCredentialFault(.json, "the body is not an object"), .registration),
        PasskeyRefusal.challengeUnknown("AQID", encodedTwice: nil, .authentication),
        PasskeyRefusal.challengeOfOtherCeremony(.registration),
        PasskeyRefusal.challengeOfAnother(Grace.id, signedInAs: Ada.id),
        PasskeyRefusal.userHandleMalformed(count: nil), PasskeyRefusal.userHandleMalformed(count: 36),
        PasskeyRefusal.userOfResponseGone(Ada.id), PasskeyRefusal.attestation(origin),
        PasskeyRefusal.assertion(origin), PasskeyRefusal.credentialNotYours("AQID"),
        PasswordRefusal.tooShort(count: 7, minimum: 8), PasswordRefusal.tooLong(count: 73),
        PasswordRefusal.userUnknown(Ada.id), PasswordRefusal.ofAnother(Grace.id, signedInAs: Ada.id),
        PasswordRefusal.absent(userID: Ada.id), PasswordRefusal.wrong(userID: Ada.id, isRightTrimmed: false),
        PasswordRefusal.wrong(userID: Ada.id, isRightTrimmed: true),
    ]

    private static let origin = WebAuthnRefusal(
        .origin, "§7.1 step 9", expected: "http://localhost:8888", got: "http://localhost:3000",
        fixture: "\"origins\": [\"http://localhost:8888\", \"http://localhost:3000\"]")

    @Test(arguments: errors)
    func `every refusal is explained in sentences`(_ error: HankoRefusal) {
        #expect(isSentences(error.explanation), "\(error.explanation)")
    }

    @Test(arguments: faults.map(\.explanation) + violations.map(\.explanation))
    func `what an explanation is put together from are sentences`(_ explanation: String) {
        #expect(isSentences(explanation), "\(explanation)")
    }

    /// A capital first, one full stop last, and several words between.
    private func isSentences(_ text: String) -> Bool {
        text.first?.isUppercase == true && text.hasSuffix(".") && !text.hasSuffix("..")
            && text.split(separator: " ").count > 3
    }

    @Test func `every event is told in sentences`() throws {
        let bench = try TestBench.mobile(
            config: "\"account\": {\"allow_deletion\": true}, \"rate_limiter\": {\"enabled\": false},")
        let first = try bench.signIn(Ada.id)
        for _ in 1...5 { _ = try bench.signIn(Ada.id) }
        _ = bench.get("/hanko/sessions/validate", headers: .bearer(first))
        let created = try bench.register("new@example.com")
        let (id, code) = try bench.startPasscode(for: created.id)
        let headers = Headers.bearer(
            try #require(try bench.finishPasscode(id, code).headers["X-Auth-Token"]))
        let added = try bench.post("/hanko/emails", ["address": "b@example.com"], headers: headers)
        let second = try bench.startPasscode(for: created.id, emailID: added.fields["id"], headers: headers)
        _ = try bench.finishPasscode(second.id, second.code, headers: headers)
        let path = "/hanko/emails/\(try #require(added.fields["id"]))"
        _ = bench.send(.post, path + "/set_primary", headers: headers)
        _ = bench.delete("/hanko/emails/\(created.email_id)", headers: headers)
        _ = bench.send(.post, "/hanko/logout", headers: .bearer(try bench.signIn(Grace.id)))
        _ = bench.delete("/hanko/user", headers: headers)

        #expect(bench.misshapenExplanations == [])
        #expect(
            Set(bench.journal.compactMap(\.event)) == [
                "user created", "address assumed", "passcode sent", "passcode accepted", "address verified",
                "session issued", "session dropped", "session not valid", "session removed", "address added",
                "primary address changed", "address removed", "user deleted", "audit log",
            ])
    }
}
