import HTTP
import Testing

struct RouterTests {
    /// A router whose every route answers with its own name and the parameters that it was given.
    private func router(_ routes: (Request.Method, String)..., fallbacks: [String] = []) -> Router<Int> {
        var router = Router<Int>()
        for (method, pattern) in routes {
            router.add(method, pattern) { _, request in
                let parameters = request.parameters.map { " \($0.name)=\($0.value)" }.joined()
                return .text("\(method.rawValue) \(pattern)\(parameters)")
            }
        }
        for prefix in fallbacks {
            router.fallback(prefix) { _, _, unknown in .text("fallback \(prefix) \(unknown.status.code)") }
        }
        return router
    }

    private func answer(_ router: Router<Int>, _ method: Request.Method, _ path: String) -> String {
        do {
            return String(decoding: try router.respond(to: Request(method, path), in: 0).bytes, as: UTF8.self)
        } catch let unknown as RouteUnknown {
            let allowed = unknown.allowed.map(\.rawValue).sorted().joined(separator: ",")
            return "\(unknown.status.code) \(allowed)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("/", "GET /"), ("/users", "GET /users"), ("/users/", "GET /users/"), ("/users/me", "GET /users/me"),
        ("/users/7", "GET /users/:id id=7"), ("/users/7/mails", "GET /users/:id/mails id=7"),
        ("/users/me/mails", "GET /users/:id/mails id=me"), ("/users/7/", "404 "), ("/users//mails", "404 "),
        ("/files/", "GET /files/*path path="), ("/files/a/b", "GET /files/*path path=a/b"),
        ("/files", "404 "),
        ("/%75sers", "GET /users"), ("/users/a%20b%2Fc", "GET /users/:id id=a b/c"),
        ("/users/%zz", "GET /users/:id id=%zz"),
        ("/users/%", "GET /users/:id id=%"), ("/Users", "404 "), ("//users", "404 "), ("/nothing", "404 "),
        ("/users/%FF", "GET /users/:id id=\u{FFFD}"),
    ])
    func `a path finds its route`(_ path: String, _ expected: String) {
        let router = router(
            (.get, "/"), (.get, "/users"), (.get, "/users/"), (.get, "/users/:id"), (.get, "/users/me"),
            (.get, "/users/:id/mails"), (.get, "/files/*path"))

        #expect(answer(router, .get, path) == expected)
    }

    @Test func `a literal wins over a name and a name over the rest, in whatever order they were added`() {
        let forward = router((.get, "/a/b"), (.get, "/a/:x"), (.get, "/a/*y"))
        let backward = router((.get, "/a/*y"), (.get, "/a/:x"), (.get, "/a/b"))

        for router in [forward, backward] {
            #expect(answer(router, .get, "/a/b") == "GET /a/b")
            #expect(answer(router, .get, "/a/c") == "GET /a/:x x=c")
            #expect(answer(router, .get, "/a/c/d") == "GET /a/*y y=c/d")
        }
    }

    @Test func `a literal that leads nowhere gives way to a name`() {
        let router = router((.get, "/a/b/c"), (.get, "/:x/b/d"), (.get, "/:x/:y/:z"))

        #expect(answer(router, .get, "/a/b/d") == "GET /:x/b/d x=a")
        #expect(answer(router, .get, "/a/b/e") == "GET /:x/:y/:z x=a y=b z=e")
        #expect(answer(router, .get, "/a/b/c") == "GET /a/b/c")
    }

    @Test func `a method that only another pattern of the path knows is found there`() {
        let router = router((.get, "/users/me"), (.delete, "/users/:id"))

        #expect(answer(router, .delete, "/users/me") == "DELETE /users/:id id=me")
    }

    @Test func `an unknown method is told what the path allows`() {
        let router = router(
            (.get, "/users/me"), (.put, "/users/me"), (.delete, "/users/:id"), (.post, "/users"))

        #expect(answer(router, .patch, "/users/me") == "405 DELETE,GET,HEAD,PUT")
        #expect(answer(router, .get, "/users") == "405 POST")
        #expect(answer(router, .patch, "/") == "404 ")
    }

    @Test func `HEAD finds its own route, else that of GET`() {
        let router = router((.get, "/a"), (.get, "/b/:x"), (.head, "/a"))

        #expect(answer(router, .head, "/a") == "HEAD /a")
        #expect(answer(router, .head, "/b/1") == "GET /b/:x x=1")
    }

    @Test func `patterns of one path may name its segments differently`() {
        let router = router((.get, "/a/:id"), (.post, "/a/:name"))

        #expect(answer(router, .get, "/a/1") == "GET /a/:id id=1")
        #expect(answer(router, .post, "/a/1") == "POST /a/:name name=1")
    }

    @Test func `the fallback of the longest prefix answers what no route fits`() {
        let router = router((.get, "/a/b"), fallbacks: ["/", "/a", "/a/b/"])

        #expect(answer(router, .get, "/x/y") == "fallback / 404")
        #expect(answer(router, .get, "/a") == "fallback /a 404")
        #expect(answer(router, .get, "/a/x") == "fallback /a 404")
        #expect(answer(router, .get, "/ab") == "fallback / 404")
        #expect(answer(router, .get, "/a/b/c/d") == "fallback /a/b/ 404")
        #expect(answer(router, .post, "/a/b") == "fallback /a/b/ 405")
        #expect(answer(router, .get, "/a/b") == "GET /a/b")
    }

    @Test func `a route's body limit is found by method and path`() {
        var router = Router<Int>()
        router.add(.put, "/big/:id", bodyLimit: 9) { _, _ in .noContent }
        router.add(.get, "/big/:id") { _, _ in .noContent }

        #expect(router.bodyLimit(.put, "/big/1") == 9)
        #expect(router.bodyLimit(.get, "/big/1") == nil)
        #expect(router.bodyLimit(.put, "/small") == nil)
    }

    @Test func `a path of slashes alone costs no more than its length`() {
        let router = router((.get, "/:a/:b/:c/*d"), (.get, "/:a/b/*d"))

        #expect(answer(router, .get, repeated("/", 60_000)) == "404 ")
        #expect(
            answer(router, .get, "/a/b" + repeated("/", 60_000)).count == 60_000 + "GET /:a/b/*d a=a d=".count
                - 1)
    }
}
