import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

/// What stands in the fixtures of the tests.
enum Shop {
    static let project = "shop"
    static let basic = "Basic " + Base64.encode(Array("shop-app:shop-secret".utf8))
    static let bearer = "Bearer shop-token"
    /// The application of another project.
    static let strangerBasic = "Basic " + Base64.encode(Array("bank-app:bank-secret".utf8))
    static let firstShare = String(repeating: "0", count: 62) + "a1"
    static let secondShare = String(repeating: "0", count: 62) + "b2"
}

extension TestBench where P == MIRACL {
    /// Two projects, in which registrations need no mail; requests mean the first unless they say otherwise.
    ///
    /// - Parameters:
    ///   - project: members of the first project beside its name, shares and applications.
    ///   - section: members of `miracl` beside `projects`.
    static func shop(project: String = "", section: String = "") throws -> TestBench<MIRACL> {
        try TestBench<MIRACL>(
            MIRACL.self,
            fixtures: """
                {"miracl": {
                    "projects": [
                        {
                            "id": "shop", "name": "Shop", "first_share": "\(Shop.firstShare)",
                            "second_share": "\(Shop.secondShare)", "force_activation": true, \(project)
                            "applications": [{
                                "client_id": "shop-app", "client_secret": "shop-secret", "name": "Shop app",
                                "redirect_uris": ["http://localhost:3000/login"]
                            }],
                            "service_accounts": [{"token": "shop-token"}]
                        },
                        {
                            "id": "bank", "name": "Bank", "force_activation": true,
                            "applications": [{
                                "client_id": "bank-app", "client_secret": "bank-secret",
                                "redirect_uris": ["http://localhost:3000/login"]
                            }],
                            "service_accounts": [{"token": "bank-token"}]
                        }
                    ],
                    \(section)
                }}
                """)
    }

    /// A call of the platform, for the first project unless a header says otherwise.
    func call(
        _ method: Request.Method, _ path: String, _ body: JSONValue? = nil, _ headers: Headers = [:]
    ) -> Response {
        var headers = headers
        if headers["X-MIRACL-CID"] == nil { headers["X-MIRACL-CID"] = Shop.project }
        return send(method, "/miracl" + path, body: body?.bytes ?? [], headers: headers)
    }

    /// The platform as a handler sees it.
    var platform: MIRACL { MIRACL(world) }
}

extension Response {
    func object() throws -> [String: JSONValue] { try #require(JSONValue(parsing: bytes).object) }

    /// Status and whole body of a refusal.
    func isRefusal(_ status: Status, _ code: String, _ info: String, _ context: [String: String] = [:])
        -> Bool
    {
        let body: JSONValue = [
            "error": .string(code), "info": .string(info), "message": .string(info),
            "context": .object(context.mapValues(JSONValue.string)),
        ]
        return self.status == status && bytes == body.bytes
            && headers["Content-Type"] == "application/json"
    }

    /// A refusal of one parameter.
    func isRefusal(of parameter: String) -> Bool {
        isRefusal(
            .badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": parameter])
    }
}
