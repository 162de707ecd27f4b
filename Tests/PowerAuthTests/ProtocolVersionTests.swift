import PowerAuth
import Testing

@Suite struct ProtocolVersionTests {
    @Test func `nothing but the four versions is spoken`() {
        #expect(ProtocolVersion(rawValue: "3.1") == .v31)
        #expect(ProtocolVersion(rawValue: "2.1") == nil)
        #expect(ProtocolVersion(rawValue: "4.0") == nil)
    }
}
