import HTTP
import PlatformKit

extension Console {
    /// What a page of ours may do: run our scripts, talk to us, and show the HTML of a mail in a frame.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

    /// Puts a page into the template `page.html`.
    func render(_ page: Page, _ request: Request, in world: World?) -> Response {
        var values: [String: HTML] = [
            "base": "\(world == nil ? request.prefix : request.mount)", "prefix": "\(request.prefix)",
            "title": "\(page.title)",
            "world": worldMenu(world, request), "main": page.main,
        ]
        values.merge(railCounts(world, request)) { $1 }
        for tab in Page.Tab.allCases {
            values["nav." + tab.rawValue] = tab == page.tab ? " aria-current=\"page\"" : ""
        }
        let template = web.read("page.html").map { String(decoding: $0, as: UTF8.self) } ?? Self.bareTemplate
        var response = Response.html(HTML(template: template, values).text, status: page.status)
        response.headers["Content-Security-Policy"] = Self.policy
        // Under “no-referrer” a form comes with “Origin: null” (WHATWG Fetch, “append a request Origin header”).
        response.headers["Referrer-Policy"] = page.hasForms || world != nil ? "same-origin" : "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// For a `--web` folder without a template.
    private static let bareTemplate =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{{title}}</title>{{main}}</html>"
}
