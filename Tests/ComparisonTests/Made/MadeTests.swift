import Essentials
import Testing

@testable import Comparison

/// What a recording takes for granted.
@Suite struct MadeTests {
    private func made(_ recording: SmallRecording, _ route: KnownRoute, _ fixtures: JSONValue) throws
        -> [Made]
    {
        let book = RouteBook([route])
        let exchanges = try recording.exchanges
        return try Made.all(in: exchanges, book, try Bases(of: exchanges, book), fixtures: fixtures.bytes)
    }

    @Test(arguments: ["newcomer@example.com", " Newcomer@Example.com "])
    func `who registers in the recording is not made, however the address is typed`(typed: String) throws {
        let flow = KnownRoute(
            platform: "hanko", title: "Hanko", mount: "hanko", method: "POST", pattern: "/registration")
        var recording = SmallRecording()
        recording.add(
            "POST", "http://localhost:8420/hanko/registration", ["Content-Type": "application/json"],
            body: #"{"input_data":{"email":"\#(typed)"}}"#, answer: ["Content-Type": "application/json"],
            text:
                #"{"user":{"id":"a27f0842-c0d9-4193-b67e-117734fab10c","emails":[{"address":"newcomer@example.com"}]}}"#
        )
        #expect(try made(recording, flow, ["hanko": ["users": []]]).isEmpty)
    }

    private static let authorize = KnownRoute(
        platform: "onegini", title: "Onegini", mount: "oauth", method: "GET", pattern: "/v1/authorize")

    private func authorization(_ uri: String, status: Int = 303, location: String = "/oauth/login")
        -> SmallRecording
    {
        var recording = SmallRecording()
        recording.add(
            "GET",
            "http://localhost:8420/oauth/v1/authorize?client_id=shop&response_type=code&redirect_uri=\(uri)",
            status: status, answer: ["Location": location])
        return recording
    }

    @Test func `a redirect URI that was taken, and that the fixtures do not have, is added to the client`()
        throws
    {
        let fixtures: JSONValue = [
            "onegini": [
                "oauth": [
                    "clients": [
                        ["client_id": "shop", "client_secret": "s", "grant_types": ["refresh_token"]]
                    ]
                ]
            ]
        ]
        let made = try made(authorization("https://app.example/cb"), Self.authorize, fixtures)
        #expect(
            made.map(\.fixtures) == [
                [
                    "onegini": [
                        "oauth": [
                            "clients": [
                                [
                                    "client_id": "shop", "client_secret": "s",
                                    "grant_types": ["refresh_token", "authorization_code"],
                                    "redirect_uris": ["https://app.example/cb"],
                                ]
                            ]
                        ]
                    ]
                ]
            ])
    }

    // RFC 8252 §7.3: the port of an address of this machine is whatever was free.
    @Test(arguments: ["https://app.example/cb", "http://127.0.0.1:5555/cb"])
    func `a client that has the redirect URI stays as it is`(uri: String) throws {
        let fixtures: JSONValue = [
            "onegini": [
                "oauth": [
                    "clients": [
                        [
                            "client_id": "shop",
                            "redirect_uris": ["https://app.example/cb", "http://127.0.0.1:3000/cb"],
                        ]
                    ]
                ]
            ]
        ]
        #expect(try made(authorization(uri), Self.authorize, fixtures).isEmpty)
    }

    @Test func `a redirect URI that was refused is not added`() throws {
        let fixtures: JSONValue = [
            "onegini": ["oauth": ["clients": [["client_id": "shop", "redirect_uris": []]]]]
        ]
        #expect(
            try made(authorization("https://app.example/cb", status: 400), Self.authorize, fixtures).isEmpty)
    }
}
