import Essentials
import HTTP
import Platforms
import TestKit
import Testing

@testable import PlatformKit
@testable import Understudy

/// A browser sends forms and plain texts to this machine for whatever page its user opens.
@Suite struct ForeignPageTests {
    private static let evil = "http://evil.example"

    @Test(arguments: Platforms.all.indices)
    func `no route of a platform changes something for a page that its rules do not allow`(_ index: Int)
        throws
    {
        let platform = Platforms.all[index]
        let house = try House()
        let world = try #require(try house.worlds.world(Worlds.defaultName))
        let before = try house.worlds.export(world)
        for line in RouteRequests.all(of: platform) where !line.request.isSafe {
            var request = line.request
            request.headers["Origin"] = Self.evil
            request.headers["Content-Type"] = "text/plain"
            request.body = Array("{}".utf8)

            let response = house.dispatcher.respond(to: request)

            let isAllowed = [Self.evil, "*"].contains(response.headers["Access-Control-Allow-Origin"])
            let isForForms = Self.takesForms.contains(line.target)
            #expect(response.status == .forbidden || isAllowed || isForForms, "\(line)")
            if response.status == .forbidden, !isAllowed {
                #expect(response.text.contains("a web page of \(Self.evil)"), "\(line)")
                #expect(world.journal.entries().first?.explanation?.contains(Self.evil) == true, "\(line)")
            }
        }
        if !Self.areForEveryPage.contains(platform.name) { #expect(try house.worlds.export(world) == before) }
        #expect(house.reports.lines == [])
    }

    /// Where pages of others send their visitors by a form, and each looks at what comes: OpenID Connect Core 1.0 §3.1.2.1,
    /// RP-Initiated Logout 1.0 §2, Sign in with Apple.
    private static let takesForms: Set = [
        "/oauth/v1/authorize", "/oauth/authorize", "/oauth/v1/logout", "/oauth/logout", "/oauth/end-session",
        "/miracl/authorize", "/miracl/logout", "/hanko/thirdparty/callback",
    ]

    /// Whose rules allow pages of every origin by default.
    private static let areForEveryPage: Set = ["miracl", "onegini"]
}
