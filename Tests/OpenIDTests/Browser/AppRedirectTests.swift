import OpenID
import PlatformKit
import TestKit
import Testing

/// Chrome on Android leaves for an app after a click alone (observed: AppAuth-Android, issues 799, 1022 and 1093).
struct AppRedirectTests {
    private static let bye = "com.example.app:/bye"
    private static let app = """
        {"client_id": "phone", "client_secret": "p", "scope": "openid", "redirect_uris": ["com.example.app:/cb"],
         "post_logout_redirect_uris": ["\(bye)", "https://client.example/bye"]}
        """

    private func browser(_ pages: String = #""confirm_app_redirects": true"#) throws -> Browser {
        Browser(try Cast.bench(Self.app, more: "\"pages\": {\(pages)}"))
    }

    private static let request: KeyValuePairs = [
        "client_id": "phone", "redirect_uri": "com.example.app:/cb",
    ]

    private func logOut(_ browser: Browser, to target: String) -> Visit {
        let question = browser.open(
            "/logout", ["client_id": "phone", "post_logout_redirect_uri": target, "state": "st"])
        return question.forms.first.map { browser.submit($0) } ?? question
    }

    @Test func `after a logout a button leads to the app; the session is over`() throws {
        let browser = try browser()
        #expect(browser.authorize(Self.request).url.hasPrefix("com.example.app:/cb?code="))
        let page = logOut(browser, to: Self.bye)
        #expect(page.status == 200 && page.page.contains("href=\"com.example.app:/bye?state=st\""))
        #expect(browser.cookies.keys.allSatisfy { $0 == "mounted.browser" })
    }

    @Test func `a login goes to the app by itself after a click; without one a button leads there`() throws {
        let browser = try browser()
        let clicked = browser.authorize(Self.request)
        #expect(clicked.status == 303)
        let known = browser.authorize(Self.request)
        #expect(known.status == 200 && known.page.contains("href=\"com.example.app:/cb?code="))
        let silent = browser.open(
            Cast.request([
                "client_id": "phone", "redirect_uri": "com.example.app:/cb", "prompt": "none",
            ]))
        #expect(silent.status == 303 && silent.answer["code"] != nil)
    }

    @Test func `web pages are gone to at once, and apps as well without the setting`() throws {
        let browser = try browser()
        _ = browser.authorize(Self.request)
        #expect(logOut(browser, to: "https://client.example/bye").status == 303)

        let plain = try self.browser("")
        _ = plain.authorize(Self.request)
        #expect(plain.authorize(Self.request).status == 303)
        #expect(logOut(plain, to: Self.bye).url == Self.bye + "?state=st")
    }
}
