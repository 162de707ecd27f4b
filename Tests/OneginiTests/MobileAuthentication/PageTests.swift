import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// The page with the QR code. Source: Token Server documentation.
struct PageTests {
    private func page(_ bench: MobileBench, _ id: String) throws -> String {
        "/oauth" + (try bench.transaction(id).page ?? Missing.raise())
    }

    @Test func `the page shows the code, the state, the seconds left, and the OTP object as text`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        try bench.bench.clock.advance(seconds: 58.5)

        let answer = bench.bench.get(try page(bench, id))

        #expect(answer.status == .ok)
        #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["Referrer-Policy"] == "same-origin")
        let text = answer.text
        #expect(text.contains("<svg xmlns"))
        #expect(text.contains("data-otp=\"\(otp)\""))
        #expect(text.contains(">\(otp)</textarea>"))
        #expect(text.contains("data-state=\"INITIALIZED\""))
        #expect(text.contains("data-expires-in=\"242\""))
        #expect(text.contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>"))
        #expect(!text.contains("Log in?"), "nothing of the user")
    }

    @Test func `the code can be brought to a phone of the console, as long as it waits for a scan`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let link =
            "<a href=\"http://localhost:8420/phones?scan=\(otp.percentEncoded)\" target=\"_blank\" rel=\"noopener\">"

        #expect(bench.bench.get(try page(bench, id)).text.contains(link))
        try bench.onegini.decide("confirm", on: id)
        #expect(!bench.bench.get(try page(bench, id)).text.contains("/phones"))
    }

    @Test func `nothing but its own style and script may run on the page`() throws {
        let bench = try MobileBench()
        let (id, _) = try bench.startedOTP()

        let policy = try #require(bench.bench.get(try page(bench, id)).headers["Content-Security-Policy"])

        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(!policy.contains("unsafe"))
    }

    @Test(arguments: [
        ("confirm", "Confirmed"), ("deny", "Denied"), ("fail", "Failed"), ("expire", "Expired"),
    ])
    func `a page whose transaction is over says so, and asks no more`(_ action: String, _ words: String)
        throws
    {
        let bench = try MobileBench()
        let (id, _) = try bench.startedOTP()
        try bench.onegini.decide(action, on: id)

        let text = bench.bench.get(try page(bench, id)).text

        #expect(text.contains(">\(words)</p>"))
        #expect(!text.contains("http-equiv") && !text.contains("<script>"))
    }

    @Test func `the link to the app carries the OTP object`() throws {
        let bench = try MobileBench("\"deep_link\": \"myapp://login\"")
        let (id, otp) = try bench.startedOTP()

        let text = bench.bench.get(try page(bench, id)).text

        #expect(otp.hasSuffix("=="))
        #expect(text.contains("href=\"myapp://login?otp=\(otp.dropLast(2))%3D%3D\""))
    }

    @Test func `an unknown transaction, a wrong key and no key are one and the same page`() throws {
        let bench = try MobileBench()
        let (id, _) = try bench.startedOTP()
        let push = try bench.startedPush()

        let answers = [
            "/oauth/sdk/v1/qr/gone?key=x", "/oauth/sdk/v1/qr/\(id)?key=00", "/oauth/sdk/v1/qr/\(id)",
            "/oauth/sdk/v1/qr/\(push)?key=x", "/oauth/sdk/v1/qr/\(id).svg?key=x",
        ].map { bench.bench.get($0) }

        #expect(answers.allSatisfy { $0.status == .notFound })
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers[0].text.contains("No such QR code"))
    }

    @Test func `the symbol alone, as SVG or PNG`() throws {
        let bench = try MobileBench()
        let (id, _) = try bench.startedOTP()
        let path = try page(bench, id)

        let svg = bench.bench.get(path.replacing("?", with: ".svg?"))
        #expect(svg.headers["Content-Type"] == "image/svg+xml")
        #expect(svg.text.hasPrefix("<svg"))
        // Version 9 has 53 modules a side, and 4 light ones around them.
        #expect(svg.text.contains("viewBox=\"0 0 61 61\""))
        let png = bench.bench.get(path.replacing("?", with: ".png?"))
        #expect(png.headers["Content-Type"] == "image/png")
        // Portable Network Graphics §5.2, §11.2.2: signature, header, and the width of 500.
        #expect(Array(png.bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(png.bytes[16..<24]) == [0, 0, 1, 0xF4, 0, 0, 1, 0xF4])
        #expect(bench.bench.get(path.replacing("?", with: ".png?x=")).status == .notFound)
    }

    @Test func `the status says state and seconds, and nothing of the user`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let path = try page(bench, id).replacing("?", with: "/status?")

        #expect(bench.bench.get(path).fields == ["state": "INITIALIZED", "expires_in": "300"])
        _ = try bench.fetch(otp)
        #expect(bench.bench.get(path).fields == ["state": "FETCHED", "expires_in": "300"])
        try bench.bench.clock.advance(seconds: 301)
        #expect(bench.bench.get(path).fields == ["state": "EXPIRED", "expires_in": "0"])
        let lost = bench.bench.get("/oauth/sdk/v1/qr/\(id)/status?key=x")
        #expect(lost.status == .notFound)
        #expect(lost.fields["error"] == "not_found")
    }
}
