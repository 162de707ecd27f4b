import HTTP
import PlatformKit
import SampleApp
import TestKit
import Testing

@Suite struct PasskeysTests {
    @Test(arguments: ["", "/w/blue"])
    func `the page calls Hanko of its own world, and runs no script but ours`(_ root: String) throws {
        let bench = try TestBench(SampleApp.self)
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)

        let page = bench.get(root + "/app/passkeys")
        #expect(page.status == .ok)
        #expect(page.text.contains("<main data-hanko=\"\(root)/hanko\">"))
        #expect(page.text.contains("href=\"\(root)/outbox\""))
        #expect(page.text.contains("<script type=\"module\" src=\"/_console/passkeys.js\"></script>"))
        let policy = page.headers["Content-Security-Policy"] ?? ""
        #expect(policy.contains("default-src 'none'; "))
        #expect(policy.contains("; script-src 'self'; connect-src 'self'"))
    }

    @Test func `every page that the console links is there`() throws {
        let bench = try TestBench(SampleApp.self)

        #expect(SampleApp.pages.map(\.path) == ["/portal", "/passkeys", "/miracl"])
        for page in SampleApp.pages {
            #expect(bench.get("/app" + page.path).status == .ok, "\(page.path)")
        }
    }

    @Test func `at a host of its own, where Hanko would be another origin, the page leads to the common one`()
        throws
    {
        let bench = try TestBench(SampleApp.self)
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)

        let own = bench.get("/passkeys", headers: ["Host": "app.localhost:8420"])
        #expect(own.status == .found)
        #expect(own.headers["Location"] == "http://localhost:8420/app/passkeys")
        let blue = bench.get("/passkeys", headers: ["Host": "blue--app.localhost:8420"])
        #expect(blue.headers["Location"] == "http://localhost:8420/w/blue/app/passkeys")
    }
}
