import OpenID
import Testing

@testable import Onegini

@Suite struct AuditTests {
    @Test func `every event of the authorization server has a name of its own in the catalogue`() {
        let types = AuditEvent.Kind.allCases.map { EventType($0) }

        #expect(Set(types).count == types.count)
        #expect(!types.contains(.unknown))
    }
}
