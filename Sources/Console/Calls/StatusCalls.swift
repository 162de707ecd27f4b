import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /health`: the program answers.
    ///
    /// - Response: `200 {"status": "ok", "version": "…"}`.
    func health(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return well
    }

    /// Who waits for the program asks for it again and again; an encoder would cost more than the rest of it.
    private var well: Response {
        var output = JSONObjectWriter()
        output.add("status", "ok")
        output.add("version", .string(info.version))
        return Response(headers: ["Content-Type": "application/json"], body: output.bytes)
    }

    /// `GET /ready`: listeners are bound, fixtures are in.
    ///
    /// - Response: as `/health`; 503 until the program is ready, and while worlds cannot be written where they are kept.
    func ready(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        guard info.isReady() else { throw ControlError.notReady }
        if let fault = info.storageFault() { throw ControlError.storage(fault) }
        return well
    }

    /// `POST /callbacks`: takes a callback that nobody waits for, such as that of `understudy otp start`; 204.
    func takeCallback(_: World, _ request: Request) throws -> Response { .noContent }

    /// `GET /_understudy`, opened in a browser: what is there.
    func apiPage(_: World, _ request: Request) throws -> Page {
        let base = request.mount
        return Page(
            title: "Control API",
            main: """
                <div class="nowhere" data-page="api">
                <header class="lead">
                <h1>Control API</h1>
                <p>For tests and scripts: worlds, clock, outbox, journal, users, faults. Its paths begin with <code>\(base + Self.root)</code>.</p>
                </header>
                <ul class="ways">
                <li><a href="\(base + Self.root)/openapi.json">OpenAPI 3.1 description</a></li>
                <li><a href="\(base + Self.root)/schema.json">JSON Schema of fixture files</a></li>
                <li><a href="\(base + Self.root)/info">This world</a>: platforms, addresses, people</li>
                <li><a href="\(base)/">Home</a></li>
                </ul>
                </div>
                """)
    }

    /// `GET /openapi.json`: the description of this API.
    func openAPI(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        guard let document = web.read("openapi.json") else {
            throw ControlError.absent("The folder given with --web has no openapi.json.")
        }
        return Response(headers: ["Content-Type": "application/json"], body: document)
    }

    /// `GET /schema.json`: the JSON Schema of fixture files, for editors. Open, since an editor shows no token.
    ///
    /// - Response: `200` with the schema, as `understudy schema` prints it.
    func fixtureSchema(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        guard let schema = info.fixtureSchema() else {
            throw ControlError.absent("This program was built without a schema of fixtures.")
        }
        return Response(headers: ["Content-Type": "application/schema+json"], body: schema)
    }

    /// `GET /openapi/FILE`: the description of a protocol of a platform that is ours, such as `onegini-device.json`.
    func platformDescription(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let file = request.parameter("file")
        guard file.wholeMatch(of: /[a-z0-9-]+\.json/) != nil, let document = web.read("openapi/" + file)
        else {
            throw ControlError.absent(
                "There is no API description “\(file.shortened)”; the console's home page links to all of them."
            )
        }
        return Response(headers: ["Content-Type": "application/json"], body: document)
    }
}
