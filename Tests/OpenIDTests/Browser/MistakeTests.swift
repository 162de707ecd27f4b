import HTTP
import TestKit
import Testing

@testable import OpenID

/// The journal names the likely cause of the usual mistakes in an authorization request.
struct MistakeTests {
    private func explanation(_ changes: KeyValuePairs<String, String>) throws -> String {
        let bench = try Cast.bench()
        _ = Browser(bench).open(Cast.request(changes))
        return bench.explanation ?? ""
    }

    @Test(arguments: [
        ("https://client.example/cb/", "It has one slash too many at the end."),
        ("http://client.example/cb", "It begins with http, the registered one with https."),
        ("https://client.example/CB", "Upper and lower case differ."),
        ("https://client.example:8443/cb", "It has another port"),
        ("https://client.example/cb?x=1", "It is longer than the registered one."),
    ])
    func `how a redirect URI differs from the registered one`(uri: String, words: String) throws {
        let text = try explanation(["redirect_uri": uri])
        #expect(text.contains(words))
        #expect(text.contains("Registered are: “https://client.example/cb”. Send one of these, or add yours"))
    }

    @Test func `which client was perhaps meant`() throws {
        #expect(try explanation(["client_id": "wep"]).contains("did you mean “web”?"))
        #expect(try explanation(["client_id": "nobody"]).hasPrefix("No client has the id “nobody”: check"))
    }

    @Test func `which scope was perhaps meant`() throws {
        let bench = try Cast.bench(
            more: #""scopes": [{"name": "openid"}, {"name": "profile"}, {"name": "email"}]"#)
        _ = Browser(bench).open(Cast.request(["scope": "openid profil"]))
        #expect(bench.explanation?.contains("“profil” are not known here; did you mean “profile”?") == true)
    }
}
