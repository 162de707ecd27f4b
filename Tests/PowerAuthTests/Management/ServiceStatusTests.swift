import Essentials
import HTTP
import TestKit
import Testing

@testable import PowerAuth

struct ServiceStatusTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    // Source: the vendor's test suites stop at a status without a version, and take 1.9.0.
    @Test func `every part tells that it runs, and which version of the server it is`() throws {
        let status = try bench.result(bench.manage("status"))
        #expect(status["status"] == "OK")
        #expect(status["version"] == "1.9.0")
        #expect(status["applicationEnvironment"] == "")
        for part in ["enrollment-server", "powerauth-cloud", "powerauth-java-server"] {
            let answer = bench.bench.get("/\(part)/api/service/status")
            #expect(answer.status == .ok)
            let told = try bench.result(answer)
            #expect(told["version"] == status["version"])
            #expect(told["applicationName"]?.string?.isEmpty == false)
            #expect(told["applicationEnvironment"] == "")
            #expect(told["timestamp"] == status["timestamp"])
        }
        let mobile = try bench.result(bench.bench.post("/enrollment-server/pa/v3/status", raw: "{}"))
        #expect(mobile["application"]?["version"] == status["version"])
    }

    // Source: release notes of the PowerAuth Server 2.0; its migration guide of the REST API.
    @Test func `a server 2.x has another version, fewer codes, and no recovery codes`() throws {
        let bench = try OfficeBench(settings: #""server_generation": "2.x""#)
        #expect(try bench.result(bench.manage("status"))["version"] == "2.0.0")
        let mobile = try bench.result(bench.bench.post("/enrollment-server/pa/v3/status", raw: "{}"))
        #expect(mobile["application"]?["version"] == "2.0.0")
        let codes = try bench.result(bench.manage("error/list"))["errors"]?.array?.compactMap {
            $0["code"]?.string
        }
        #expect(codes?.contains("ERR0024") == true && codes?.contains("ERR0028") == false)
        #expect(bench.manage("recovery/lookup").status == .notFound)
        #expect(bench.manage("application/list").status == .ok)
    }
}
