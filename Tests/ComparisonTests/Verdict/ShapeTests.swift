import Testing

@testable import Comparison

@Suite struct ShapeTests {
    @Test(arguments: [
        ("6f1c2b9e-70a4-4c4f-9d5e-0a1b2c3d4e5f", Shape.uuid), ("123456", .digits(6)),
        ("ada@example.com", .email),
        ("2026-01-02T03:04:05Z", .time(zone: "Z", hasFraction: false)),
        ("2026-01-02T03:04:05.678+01:00", .time(zone: "+00:00", hasFraction: true)),
        ("2026-01-02T03:04:05+0000", .time(zone: "+0000", hasFraction: false)),
        ("https://a.example/x", .address), ("/login?action=x", .address), ("invalid_grant", .word),
        ("ES256", .word),
        ("ROLE_MOBILE", .word), ("Ada Lovelace", .prose), ("", .empty),
        ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", .opaque),
        ("/+3q5eXl2dHRzcW9ubW1sa2tqaGdn0==", .opaque), ("/UgElTXOcdsjGYIZLSR/sWjn", .opaque),
        ("/users/listOfDevices/all", .address), ("/oauth/v1/authorize", .address),
    ])
    func `a text is known by its form`(text: String, shape: Shape) {
        #expect(Shape(text) == shape)
    }

    // RFC 7519 §3.1, the example.
    @Test func `a token is known by its header`() {
        let text =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(Shape(text) == .token)
        #expect(WebToken.parts(of: text)?.claims["iss"] == .string("joe"))
    }
}
