import HTTP
import Testing

@testable import Comparison

/// What a recorded request carries of an earlier answer, in the forms in which clients pack it.
@Suite struct SubstitutionTests {
    private func substitution(_ recorded: String, _ ours: String) -> Substitution {
        var substitution = Substitution(addresses: [
            ("https://tenant.example", "http://127.0.0.1:1/w/a/hanko")
        ])
        substitution.learn(
            recorded: GivenValues(headers: ["Content-Type": "application/json"], body: Array(recorded.utf8)),
            ours: GivenValues(headers: ["Content-Type": "application/json"], body: Array(ours.utf8)), from: 1)
        return substitution
    }

    private func applied(_ text: String) -> String {
        var follows: Int?
        return substitution(#"{"id":"recorded-1a2b3c4d","n":1234}"#, #"{"id":"ours-9z8y7x6w","n":9876}"#)
            .apply(text, follows: &follows)
    }

    // RFC 7617 §2: Basic credentials; RFC 6265 §4.2: cookies; the Base64 texts are those of coreutils' base64.
    @Test(arguments: [
        ("recorded-1a2b3c4d", "ours-9z8y7x6w"),
        ("Bearer recorded-1a2b3c4d", "Bearer ours-9z8y7x6w"),
        ("a=1; s=recorded-1a2b3c4d", "a=1; s=ours-9z8y7x6w"),
        ("verify@recorded-1a2b3c4d", "verify@ours-9z8y7x6w"),
        ("Basic cmVjb3JkZWQtMWEyYjNjNGQ6cHc=", "Basic b3Vycy05ejh5N3g2dzpwdw=="),
        ("https://tenant.example/x?id=recorded-1a2b3c4d", "http://127.0.0.1:1/w/a/hanko/x?id=ours-9z8y7x6w"),
        ("https%3A%2F%2Ftenant.example%2Fx", "http%3A%2F%2F127.0.0.1%3A1%2Fw%2Fa%2Fhanko%2Fx"),
        ("https://tenant.example.org/x", "https://tenant.example.org/x"),
        ("something else", "something else"),
    ])
    func `a value is found in what carries it`(recorded: String, ours: String) {
        #expect(applied(recorded) == ours)
    }

    // RFC 8628 §6.1: people may type a code without its dash, and in small letters.
    @Test(arguments: ["BNVQ-MJCR", "bnvq-mjcr", "BNVQMJCR", "bnvq mjcr"])
    func `a code that people type is found in any spelling`(typed: String) {
        var follows: Int?
        let substitution = substitution(
            #"{"user_code":"BNVQ-MJCR","state":"pending"}"#, #"{"user_code":"WDJB-MJHT","state":"waiting"}"#)
        #expect(substitution.apply(typed, follows: &follows) == "WDJB-MJHT")
        #expect(substitution.apply("PENDING", follows: &follows) == "PENDING")
    }

    @Test func `an id that is a number is replaced as a number`() {
        let substitution = substitution(#"{"n":1234}"#, #"{"n":9876}"#)
        #expect(substitution.applyNumber("1234") == "9876")
        #expect(substitution.applyNumber("12345") == "12345")
    }

    @Test func `a value that our answer lacks is told with the answer that should have had it`() {
        let substitution = substitution(#"{"id":"6f1c2b9e-70a4-4c4f-9d5e-0a1b2c3d4e5f"}"#, "{}")
        var follows: Int?
        _ = substitution.apply("Bearer 6f1c2b9e-70a4-4c4f-9d5e-0a1b2c3d4e5f", follows: &follows)
        #expect(follows == 1)
    }

    @Test func `parameters in a text give values`() {
        var follows: Int?
        let told = substitution(
            #"{"params":"ticket=ab12cd34ef56&hash=recorded-1a2b3c4d"}"#,
            #"{"params":"ticket=99zz88yy77xx&hash=ours-9z8y7x6w"}"#)
        #expect(told.apply("recorded-1a2b3c4d", follows: &follows) == "ours-9z8y7x6w")
    }

    @Test func `hidden fields, redirects and fragments give values`() {
        let page = #"<form><input type="hidden" name="csrf" value="a&amp;b"></form>"#
        let given = GivenValues(
            headers: [
                "Content-Type": "text/html", "Location": "/cb?code=c0de#state=st4te",
                "Set-Cookie": "s=1; Path=/",
            ],
            body: Array(page.utf8))
        let values = Dictionary(given.values.map { ($0.place, $0.value) }) { first, _ in first }
        #expect(values["field.csrf"] == "a&b")
        #expect(values["location.query.code"] == "c0de")
        #expect(values["location.fragment.state"] == "st4te")
        #expect(values["cookie.s"] == "1")
    }
}
