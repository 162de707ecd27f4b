import Essentials
import HTTP
package import TestKit
import Testing

@testable package import NextAuth

@Suite struct BodyReaderTests {
    @Test func `odd bodies come to their readers, who refuse them`() throws {
        try checkBodyReaders(of: NextAuth.self)
    }
}

extension NextAuth: SamplesBodies {
    package static let sampleParameters = [
        "serverid": "NP3zfIyXOwwzWEIfcetxjQ==", "userid": "ada@example.com",
        "roleid": "FUntrE3lrl1uecLIDk7hPw==", "nonce": "0123456789abcdef", "accountid": "1",
    ]

    package static let routesWithoutBody: Set<String> = Set(
        [
            "POST /apikeys", "POST /api/nauth", "POST /api/servers",
            "POST /servers/:serverid/users/:userid/role",
            "PUT /servers/:serverid/accounts/:accountid", "PUT /servers/:serverid/accounts/:accountid/user",
            "POST /servers/:serverid/accounts/:accountid/provokelogin",
            "POST /servers/:serverid/sessions/logout", "POST /servers/:serverid/sessions/registeruser",
            "PUT /api/servers/:serverid/accounts/:accountid",
            "POST /api/servers/:serverid/sessions/:nonce/logout",
            "POST /api/servers/:serverid/sessions/:nonce/registeruser",
            "POST /api/servers/:serverid/accounts/:accountid/provokelogin/:nonce",
        ].flatMap { line in
            let below = line.replacing(" /", with: " /nextauth/")
            return [below, below + "/"]
        }
            + ["/instance/challenge", "/flows/:id/cancel", "/messages/:id/read"].map {
                "POST /nextauth/device/v1" + $0
            })

    package static func sampleBodies(for route: BodyRoute) -> SampleBodies {
        SampleBodies(forms: route.pattern.hasSuffix("/token") ? ["grant_type=urn:understudy:webnonce"] : [])
    }

    package static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<NextAuth> {
        guard route.pattern.hasPrefix("/nextauth/device/") else {
            return SampleCaller(
                try TestBench<NextAuth>.withCast(),
                headers: ["X-apikey": "nextauth-api-key", "X-nonce": "0123456789abcdef"])
        }
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        var device = try Device(bench)
        let flow = try flow(waitingFor: String(route.pattern.split(separator: "/").last ?? ""), &device)
        return SampleCaller(bench) { [device] request in
            var request = request
            request.headers["Authorization"] = "Device " + device.token
            request.path = request.path.replacing("none", with: flow?.id ?? "none")
            _ = bench.send(request)
        }
    }

    /// A flow whose next step is this one; nil where none is.
    private static func flow(waitingFor step: String, _ device: inout Device) throws -> FlowObject? {
        let code = try BackEnd(bench: device.bench).enrolmentCode()
        switch step {
        case "confirm": return try device.start(["type": "ENROL", "data": .string(code)])
        case "secondfactor":
            return try device.confirmEnrolment(device.start(["type": "ENROL", "data": .string(code)])).flow
        case "complete":
            try device.enrol(code, headless: true)
            return try device.start(["type": "APPLOGIN"])
        default: return nil
        }
    }
}
