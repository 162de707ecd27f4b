extension HARSubject {
    var dictionary: [[UInt8]] { Self.pieces.map { Array($0.utf8) } }

    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "null", "-1", "1e999", "\\u0000", "\\ud800", "://", "/../", "%2F",
        "\\r\\n", "\"status\":0",
        "\"encoding\":\"base64\"", "localhost:8420", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "<script>",
        "; Path=/; Secure",
        "2026-05-04T10:00:00Z",
    ]

    /// A login by passcode, a login by code with PKCE, and what browsers and proxies write beside it.
    static let recordings = [hanko, oauth, others]

    private static func log(_ entries: [String], creator: String = "WebInspector") -> String {
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"\(creator)\",\"version\":\"1\"},\"entries\":["
            + entries.joined(separator: ",") + "]}}"
    }

    private static func entry(
        _ time: String, _ method: String, _ path: String, sends: String = "", fields: String = "",
        _ status: Int,
        _ answer: String, _ type: String = "application/json", answered: String = ""
    ) -> String {
        let posted = sends.isEmpty ? "" : ",\"postData\":\(sends)"
        return
            "{\"startedDateTime\":\"2026-05-04T10:00:\(time)Z\",\"time\":12.5,\"request\":{\"method\":\"\(method)\",\"url\":\"\(root)\(path)\",\"headers\":[\(fields)]\(posted)},"
            + "\"response\":{\"status\":\(status),\"headers\":[{\"name\":\"Content-Type\",\"value\":\"\(type)\"}\(answered)],\"content\":{\"size\":-1,\"mimeType\":\"\(type)\",\"text\":\(answer)}}}"
    }

    private static func posted(_ text: String, _ type: String = "application/json") -> String {
        "{\"mimeType\":\"\(type)\",\"text\":\"\(text)\"}"
    }

    private static let user = "6f1c2b9e-70a4-4c4f-9d5e-0a1b2c3d4e5f"
    private static let passcode = "0b8e7a52-94c1-4f0a-8a3d-9e2f61c0d7ab"
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI2ZjFjMmI5ZSIsImV4cCI6MTc3Nzg4ODgwMH0.c2ln"

    private static let hanko = log([
        entry(
            "01", "POST", "/hanko/user", sends: posted(#"{\"email\":\"ada@example.com\"}"#), 200,
            "\"{\\\"id\\\":\\\"\(user)\\\",\\\"verified\\\":true,\\\"n\\\":1234}\""),
        entry(
            "02", "POST", "/hanko/passcode/login/initialize",
            sends: posted("{\\\"user_id\\\":\\\"\(user)\\\"}"), 200,
            "\"{\\\"id\\\":\\\"\(passcode)\\\",\\\"ttl\\\":300,\\\"created_at\\\":\\\"2026-05-04T10:00:02Z\\\"}\""
        ),
        entry(
            "07.250", "POST", "/hanko/passcode/login/finalize",
            sends: posted("{\\\"id\\\":\\\"\(passcode)\\\",\\\"code\\\":\\\"851907\\\"}"), 200,
            "\"{\\\"ok\\\":[1,2.0,null,{\\\"id\\\":\\\"a\\\"}]}\"",
            answered:
                ",{\"name\":\"X-Auth-Token\",\"value\":\"\(token)\"},{\"name\":\"Set-Cookie\",\"value\":\"hanko=\(token); Path=/; HttpOnly; Max-Age=3600\"}"
        ),
        entry(
            "08", "GET", "/hanko/me", fields: "{\"name\":\"Authorization\",\"value\":\"Bearer \(token)\"}",
            200,
            "\"{\\\"id\\\":\\\"\(user)\\\"}\""),
    ])

    private static let oauth = log(
        [
            entry(
                "01", "GET",
                "/oauth/v1/authorize?client_id=web&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fcb&state=s1&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                303, "\"\"", "text/html",
                answered:
                    ",{\"name\":\"Location\",\"value\":\"\(root)/oauth/login?t=K7gNU3sdo-OL0wNhqoVW\"},{\"name\":\"Set-Cookie\",\"value\":\"sid=1f0aa93b2c; Path=/oauth; SameSite=None\"}"
            ),
            entry(
                "02", "GET", "/oauth/login?t=K7gNU3sdo-OL0wNhqoVW", 200,
                "\"<form action='/oauth/login'><input type=hidden name=\\\"csrf\\\" value=\\\"a&amp;b\\\"><a href=\\\"/x?y=1\\\">z</a></form>\"",
                "text/html; charset=utf-8"),
            entry(
                "03", "POST", "/oauth/v1/token",
                sends: posted(
                    "grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r",
                    "application/x-www-form-urlencoded"),
                fields: "{\"name\":\"Authorization\",\"value\":\"Basic d2ViOnNlY3JldA==\"}",
                200, "\"{\\\"access_token\\\":\\\"\(token)\\\",\\\"expires_in\\\":60}\"",
                answered: ",{\"name\":\"Cache-Control\",\"value\":\"no-store\"}"),
            entry(
                "04", "POST", "/oauth/v1/token",
                sends:
                    "{\"mimeType\":\"application/x-www-form-urlencoded\",\"params\":[{\"name\":\"token\",\"value\":\"x%20y\"}]}",
                400,
                "\"{\\\"error\\\":\\\"invalid_request\\\"}\"",
                answered:
                    ",{\"name\":\"WWW-Authenticate\",\"value\":\"Basic realm=\\\"a\\\", error=\\\"b\\\"\"}"),
        ], creator: "Understudy")

    private static let others = log([
        entry(
            "01", "GET", "/nextauth/sessions/abc/qr.png", 200,
            "\"iVBORw0KGgo=\",\"encoding\":\"base64\"", "image/png"),
        entry(
            "02", "OPTIONS", "/hanko/me", fields: "{\"name\":\"Origin\",\"value\":\"\(root)\"}", 204, "\"\"",
            answered:
                ",{\"name\":\"Access-Control-Allow-Origin\",\"value\":\"*\"},{\"name\":\"Vary\",\"value\":\"Origin\\nAccept\"}"
        ),
        entry(
            "00", "GET", "/powerauth/no/such?x=1&x=2&", 404, "\"not found\"", "text/plain",
            answered: ",{\"name\":\"X-RateLimit-Remaining\",\"value\":\"9\"}"),
        entry(
            "03", "POST", "/miracl/rps/v2/pass1",
            sends: posted(#"{\"mpin_id\":\"7b226d6f62\",\"U\":\"04aa\"}"#), 200,
            "\"{\\\"y\\\":\\\"1f\\\",\\\"url\\\":\\\"\(root)/miracl/x#a=b\\\"}\""),
    ])
}
