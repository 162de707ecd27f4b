import TestKit

@testable import MIRACL

/// A project with one application, as the tests of routes use it: mails at once, links.
enum TestProject {
    static func fixtures(_ settings: String = "") -> String {
        """
        { "miracl": { "projects": [ {
            "id": "blue", "name": "Blue", "backoff": 0, \(settings)
            "applications": [ { "client_id": "shop", "client_secret": "shop-secret",
                "redirect_uris": ["https://shop.example/login"] } ],
            "service_accounts": [ { "name": "back end", "token": "blue-token" } ] } ] } }
        """
    }

    static func bench(_ settings: String = "") throws -> TestBench<MIRACL> {
        try TestBench(MIRACL.self, fixtures: fixtures(settings))
    }
}
