import Testing

@testable import Comparison

/// Header fields of PowerAuth, whose layout differs between the SDKs for iOS and Android.
@Suite struct ProofFieldsTests {
    static let iOS = #"PowerAuth version="3.3", application_key="a=b+c/=", activation_id="1""#
    static let android = #"PowerAuth activation_id="1" application_key="a=b+c/=" version="3.3""#

    @Test(arguments: [iOS, android])
    func `parameters are read in either layout`(_ text: String) throws {
        let fields = try #require(ProofFields(text))
        #expect(
            [fields["version"], fields["application_key"], fields["activation_id"]] == [
                "3.3", "a=b+c/=", "1",
            ])
        #expect(fields["PowerAuth"] == nil && fields["nonce"] == nil)
    }

    @Test func `ours take the layout of the recorded app`() {
        let ours = #"PowerAuth version="3.3", application_key="ours", activation_id="2""#
        #expect(
            ProofFields.laidOut(ours, like: Self.android)
                == #"PowerAuth activation_id="2" application_key="ours" version="3.3""#)
        #expect(ProofFields.laidOut(ours, like: nil) == ours)
    }

    @Test(arguments: [
        "", "Basic abc", "PowerAuth", "PowerAuth a=\"b", "PowerAuth " + String(repeating: "a", count: 9000),
    ])
    func `what is no such field is none`(_ text: String) {
        #expect(ProofFields(text) == nil)
    }
}
