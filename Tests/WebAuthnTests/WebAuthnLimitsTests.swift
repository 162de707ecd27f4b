import Testing
import WebAuthn

@Suite struct WebAuthnLimitsTests {
    @Test func `a credential id has at most 1,023 bytes`() {
        #expect(WebAuthnLimits.credentialID == 1023)
    }
}
