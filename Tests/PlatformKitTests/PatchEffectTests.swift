import Essentials
import HTTP
import Testing

@testable import PlatformKit

@Suite struct PatchEffectTests {
    /// Source: RFC 7396 appendix A, the cases in which both sides are objects.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `members are merged as the standard says`(body: String, patch: String, result: String) throws {
        var response = Response(status: .ok, body: Array(body.utf8))
        let effect = try #require(PatchEffect(patch))
        try effect.check(at: [])
        #expect(effect.spoils(response))
        effect.spoil(&response)
        #expect(String(decoding: response.bytes, as: UTF8.self) == result)
    }

    @Test func `status and fields are changed, and fields taken away`() throws {
        let effect = PatchEffect(
            ofStatus: 200, status: 201, headers: ["ETag": nil, "X-Tenant": "blue"], body: nil)
        var response = Response(status: .ok, headers: ["ETag": "\"1\""], body: Array("text".utf8))
        #expect(effect.spoils(response))
        effect.spoil(&response)
        #expect(response.status.code == 201 && response.headers["ETag"] == nil)
        #expect(response.headers["X-Tenant"] == "blue" && response.bytes == Array("text".utf8))
        #expect(!effect.spoils(response), "it has another status now")
    }

    @Test func `what is no JSON object keeps its body`() throws {
        let effect = try #require(PatchEffect(#"{"a":1}"#))
        for body in ["", "[1]", "text", "{"] {
            #expect(!effect.spoils(Response(status: .ok, body: Array(body.utf8))), "\(body)")
        }
    }

    @Test(arguments: [
        (#"{}"#, "a status, headers or a body"), (#"{"status":99}"#, "200 to 599"),
        (#"{"of_status":1000,"status":200}"#, "100 to 599"), (#"{"body":[1]}"#, "a JSON object"),
        (#"{"headers":{"a b":"c"}}"#, "the name of a header field"),
        (#"{"headers":{"a":"b\r\nc: d"}}"#, "a text on one line"),
    ])
    func `a patch that makes no sense is refused`(patch: String, reason: String) {
        let error = #expect(throws: FixtureError.self) {
            try FaultRule.rule(reading: Array("{\"effect\":{\"patch\":\(patch)}}".utf8), platforms: [])
        }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
