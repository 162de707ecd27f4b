import HTTP
import TestKit
import Testing

@testable import Onegini

/// What is not there says so, where a client could notice.
@Suite struct UnknownPathTests {
    // RFC 9110 §15.5.6
    @Test func `a method that a path does not answer is 405 with what it does`() throws {
        let bench = try TestBench<Onegini>.devices()
        let response = bench.get("/oauth/v1/token")
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers["Allow"] == "POST")
        #expect(response.fields["error"] == "invalid_request")
        let lost = bench.get("/oauth/nothing")
        #expect(lost.status == .notFound)
        #expect(lost.fields["error"] == "not_found")
    }
}
